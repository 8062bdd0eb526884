"""Measures the runs of a report, and the baseline, on deals that no run used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deals.words import plural, speakable
from gafreecell.comparing.groups import Group, grouped
from gafreecell.comparing.held_out import HeldOut, rivals
from gafreecell.comparing.jobs import Chosen, Contest, groups_measured
from gafreecell.comparing.pairs import Comparison, Summary, compare_solvers, summarise, which_solved
from gafreecell.comparing.run_comparison import RunComparison
from gafreecell.comparing.solvers import Watch, outcomes_of
from gafreecell.figures.courses import (
    ProgressData,
    Score,
    Solver,
    deals_measured,
    progress_data,
    whole,
)
from gafreecell.pages.replay import Course, Replay, cards_moved, replay
from gafreecell.runs.record import Run
from gafreecell.service.inputs import GivenDeal, GivenDeals, board_of
from gafreecell.service.solvers import run_checked
from gafreecell.service.wording import result
from gafreecell.solitaire.abilities import Numbered
from gafreecell.solitaire.game import Deal, Game, limits_text
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.solving.weights import Weights
from gafreecell.workers.chosen import Workers

HARDEST = 10
"""How many of the hardest deals are shown, if these have few solvers."""
_REASONS = {
    Status.EXHAUSTED: "the search leaves some positions out, and tried all others",
    Status.NODE_LIMIT: "given up",
    Status.TIME_LIMIT: "out of time",
    Status.MEMORY_LIMIT: "out of memory",
}
REPLAYS = 30
"""How many replays a page holds: each takes some 15 kB."""
LONGEST = 2000
"""Moves of the longest solution that is shown."""


@dataclass
class ShownRun(Run):
    """A run under a name that no other run of its report has.

    Attributes:
        name: for people.
    """

    name: str = ""

    @property
    def label(self) -> str:
        """The name as figures print it."""
        return self.name


@dataclass(frozen=True)
class HardDeal:
    """One of the hardest deals.

    Attributes:
        title: the deal's name.
        place: where its replay stands on the page: ``deal-7`` for a link to ``#deal-7``.
        outcomes: what each solver made of it, by the solver's name, with the moves.
        replay: their solutions move by move; None if the game has no positions to show.
    """

    title: str
    place: str
    outcomes: Mapping[str, Outcome]
    replay: Replay | None

    @property
    def cells(self) -> list[str]:
        """What each solver made of it, in a few words."""
        return [_cell(outcome) for outcome in self.outcomes.values()]


@dataclass(frozen=True)
class Trial:
    """Runs on the same deals.

    Attributes:
        game: the game in its variant.
        runs: the runs by their names on the page.
        groups: the same runs by job.
        held: the deals.
        progress: what the figure of progress draws.
        solvers: the runs' champions and the solvers to compare with, by name, in the search and
            limits of the runs.
        baselines: for each run the name of the first solver that it is compared with.
        outcomes: what each solver made of the deals, by its name, without moves.
        summaries: the same in figures.
        scores: the same as the figure of progress counts it.
        against: each champion against solvers to compare with. A single run is compared with all
            of them, and p is corrected for their number; of several runs, each is compared with
            its own baseline.
        pairs: the champions of several runs in pairs, deal by deal, if each job has one run.
        by_seed: jobs in pairs, run by run, if a job has several; None otherwise, or if the runs
            have different budgets.
        hardest: the hardest deals for the champions, the hardest first. Deals that neither a
            champion nor a baseline solved are left out, unless there are no others.
        hopeless: how many are left out.
    """

    game: Game
    runs: Mapping[str, ShownRun]
    groups: tuple[Group, ...]
    held: HeldOut
    progress: ProgressData
    solvers: Mapping[str, Solver]
    baselines: Mapping[str, str]
    outcomes: Mapping[str, tuple[Outcome, ...]]
    summaries: Mapping[str, Summary]
    scores: Mapping[str, Score]
    against: tuple[Comparison, ...]
    pairs: tuple[Comparison, ...]
    by_seed: RunComparison | None
    hardest: tuple[HardDeal, ...]
    hopeless: int


def trial(
    runs: Sequence[Run],
    deals: str | Sequence[Deal] | None,
    jobs: int,
    watch: Watch,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    nodes: int | None = None,
    gaps: Sequence[str] = (),
) -> Trial:
    """Measure runs on the same deals. Every distinct solver solves each deal once.

    Args:
        runs: one, or several of one game, each with weights.
        deals: a set by name or numbers; by default deals that no run trained or validated on.
        jobs: how many deals are solved at once, -1 for one per core.
        watch: shows how far each solver is.
        on_progress: called while the solvers of all generations are measured, with the tasks done
            and in all.
        nodes: node budget of each deal; by default each run's own.
        gaps: which runs of a study's plan are not among these, a main clause each.

    Raises:
        BadInput: if the runs are of different games, two have the same job and seed, or there are
            no such deals.
    """
    shown = named(runs)
    groups = grouped([*shown.values()])
    every = [run.job for run in shown.values()]
    game = every[0].load_game()
    held = deals_measured(deals, every, game)
    solvers, baselines = _solvers(shown, game, nodes)
    outcomes = _outcomes(solvers, GivenDeals([held.deals]), game, jobs, watch)
    known = {solver: outcomes[name] for name, solver in solvers.items()}
    progress = progress_data(
        [*shown.values()], held.deals, Workers(jobs), on_progress, known=known, nodes=nodes,
        gaps=gaps,
    )  # fmt: skip
    scores = {name: Score.of(outcomes[name], solver[2].nodes) for name, solver in solvers.items()}
    several = any(len(group.runs) > 1 for group in groups)
    watched = [*dict.fromkeys([*shown, *baselines.values()])]
    places, hopeless = _hardest_places(shown, watched, scores, outcomes)
    hardest = [held.deals[place] for place in places]
    return Trial(
        game=game,
        runs=shown,
        groups=tuple(groups),
        held=held,
        progress=replace(progress, held=held),
        solvers=solvers,
        baselines=baselines,
        outcomes=outcomes,
        summaries={name: summarise(found) for name, found in outcomes.items()},
        scores=scores,
        against=tuple(_against(shown, baselines, solvers, outcomes)),
        pairs=() if several else tuple(compare_solvers({name: outcomes[name] for name in shown})),
        by_seed=_by_seed(groups, shown, held, game, solvers, outcomes) if several else None,
        hardest=tuple(_solved_again(hardest, {n: solvers[n] for n in watched}, game, jobs)),
        hopeless=hopeless,
    )


def named(runs: Sequence[Run]) -> dict[str, ShownRun]:
    """Runs by the names of their folders, or by the paths of these where names are not unique."""
    short = [speakable(run.folder.resolve().name) for run in runs]
    times = Counter(short)
    names = [
        name if times[name] == 1 else speakable(str(run.folder))
        for name, run in zip(short, runs, strict=True)
    ]
    return {
        name: ShownRun(run.folder, run.job, run.state, run.lines, run.validated, name)
        for name, run in zip(names, runs, strict=True)
    }


def _solvers(
    runs: Mapping[str, ShownRun], game: Game, nodes: int | None
) -> tuple[dict[str, Solver], dict[str, str]]:
    """The champions and the solvers to compare with, by name, and each run's baseline."""
    found: dict[str, Solver] = {
        name: (run.job.evaluator(run.best.weights), *whole(run.job, nodes))
        for name, run in runs.items()
    }
    baselines: dict[str, str] = {}
    for name, run in runs.items():
        for rival in rivals(run.job, game):
            solver = (rival.evaluator, *whole(run.job, nodes))
            title = rival.title
            if title in found and found[title] != solver:
                alike = found[title][1] == solver[1]
                how = limits_text(solver[2]) if alike else f"the search of {name}"
                # Runs that share a search and budget share the baseline in it.
                same = (known for known, one in found.items() if one == solver)
                title = next(same, f"{title}, {'within' if alike else 'in'} {how}")
            found[title] = solver
            baselines.setdefault(name, title)
    return found, baselines


def _outcomes(
    solvers: Mapping[str, Solver], deals: GivenDeals, game: Game, jobs: int, watch: Watch
) -> dict[str, tuple[Outcome, ...]]:
    """What each solver makes of the deals; those that are the same under two names run once."""
    first: dict[Solver, str] = {}
    for name, solver in solvers.items():
        first.setdefault(solver, name)
    found = outcomes_of(
        {name: _weights(solver, game) for solver, name in first.items()},
        deals,
        game,
        {name: solver[2] for solver, name in first.items()},
        Workers(jobs),
        watch,
    )
    return {name: found[first[solver]] for name, solver in solvers.items()}


def _weights(solver: Solver, game: Game) -> Weights:
    evaluator, search, limits = solver
    return Weights(game.name, game.variant, evaluator, search, limits)


def _against(
    runs: Mapping[str, ShownRun],
    baselines: Mapping[str, str],
    solvers: Mapping[str, Solver],
    outcomes: Mapping[str, tuple[Outcome, ...]],
) -> list[Comparison]:
    if len(runs) == 1:
        (name,) = runs
        return [one for one in compare_solvers(outcomes) if one.solver == name]
    return [
        compare_solvers({name: outcomes[name], baseline: outcomes[baseline]})[0]
        for name, baseline in baselines.items()
    ]


def _by_seed(
    groups: Sequence[Group],
    runs: Mapping[str, ShownRun],
    held: HeldOut,
    game: Game,
    solvers: Mapping[str, Solver],
    outcomes: Mapping[str, tuple[Outcome, ...]],
) -> RunComparison | None:
    budgets = {solvers[name][2].nodes for name in runs}
    if len(budgets) > 1:
        return None
    chosen = Chosen(GivenDeals([held.deals]), (held.name,), held.seen)
    found = {str(run.folder): outcomes[name] for name, run in runs.items()}
    return groups_measured(Contest(groups, game, chosen), budgets.pop(), found)


def _hardest_places(
    runs: Mapping[str, ShownRun],
    watched: Sequence[str],
    scores: Mapping[str, Score],
    outcomes: Mapping[str, tuple[Outcome, ...]],
) -> tuple[list[int], int]:
    """The places of the hardest deals, and how many are left out because nobody solved them.

    Args:
        runs: the runs, whose champions say how hard a deal is.
        watched: the names of the solvers that are shown.
        scores: of all solvers.
        outcomes: of all solvers.
    """
    solved = np.any([which_solved(outcomes[name]) for name in watched], axis=0)
    if not solved.any():
        solved[:] = True
    hardness = np.sum([scores[name].values for name in runs], axis=0)
    order = [place for place in np.argsort(-hardness, kind="stable").tolist() if solved[place]]
    count = min(HARDEST, max(REPLAYS // len(watched), 3))
    return order[:count], int((~solved).sum())


def _solved_again(
    deals: Sequence[Deal], solvers: Mapping[str, Solver], game: Game, jobs: int
) -> list[HardDeal]:
    """Deals with the moves of each solver, which were not kept."""
    given = [GivenDeal(deal, deal) for deal in deals]
    found = {
        name: [
            outcome
            for _, outcome in run_checked(given, _weights(solver, game), game, solver[2], jobs)
        ]
        for name, solver in solvers.items()
    }
    hard = []
    for place, deal in enumerate(given):
        title, outcomes = f"Deal {deal.name}", {name: found[name][place] for name in solvers}
        name = title.rpartition(" ")[2]
        anchor = f"deal-{name}" if name.isascii() and name.isalnum() else f"deal-place-{place + 1}"
        hard.append(HardDeal(title, anchor, outcomes, _replay(game, deal, outcomes)))
    return hard


def _replay(game: Game, deal: GivenDeal, outcomes: Mapping[str, Outcome]) -> Replay | None:
    if not isinstance(game, Numbered) or not isinstance(deal.board, int):
        return None
    shown = [_shown(name, outcome) for name, outcome in outcomes.items()]
    return replay(game, board_of(deal, game), deal.title, shown, heading="h4")


def _shown(name: str, outcome: Outcome) -> Course:
    moves = outcome.moves
    if moves is not None and len(moves) > LONGEST:
        note = f"Its {len(moves):,} moves are too many to show here."
        return Course(name, told(outcome), found=False, notes=[note], result=result(outcome))
    cards, ending = cards_moved(outcome), result(outcome)
    return Course(name, told(outcome), moves or (), moves is not None, result=ending, cards=cards)


def _cell(outcome: Outcome) -> str:
    if outcome.status is not Status.SOLVED:
        return told(outcome)
    length = next(iter((outcome.lengths or {}).items()), None)
    nodes = plural(outcome.nodes.generated, "node")
    return f"{nodes}, length {length[1]:,} ({length[0]})" if length else nodes


def told(outcome: Outcome) -> str:
    """An outcome in a line, without the time it took, which differs from machine to machine."""
    nodes = plural(outcome.nodes.generated, "node")
    if outcome.status is Status.SOLVED:
        lengths = ", ".join(f"{unit} {count}" for unit, count in (outcome.lengths or {}).items())
        return f"solved, length {lengths}; {nodes}" if lengths else f"solved; {nodes}"
    if outcome.status is Status.UNSOLVABLE:
        return f"proved unsolvable after {nodes}"
    return f"not solved: {_REASONS[outcome.status]} after {nodes}"
