"""A job in words: what evolves, against what, and how its best is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from deals.words import plural
from gafreecell.evolution.job import Job
from gafreecell.evolution.measures import UNSOLVED_NODES
from gafreecell.evolution.schemes.sample_size import largest_sample
from gafreecell.evolution.settings import as_table
from gafreecell.figures.courses import standing
from gafreecell.installed import plugins
from gafreecell.solitaire.game import Game, full_title, search_text


def in_words(job: Job, game: Game) -> list[str]:
    """What a job does, in five paragraphs for readers who have not seen it.

    They are about the solvers, the trainer, the problems, the fitness and the champion.

    Parts that are not built in are told by the first sentence of their documentation.

    Args:
        job: the job.
        game: its game.
    """
    return [_solvers(job, game), _trainer(job), _problems(job), _fitness(job), _champion(job)]


def _solvers(job: Job, game: Game) -> str:
    features = plural(len(job.trained.features), "feature")
    who = plural(job.solvers.population, "solver")
    kind = f"a weighted sum of {features}, and the weights evolve"
    if job.rules.count:
        kind = (
            f"a policy of {plural(job.rules.count, 'rule')}: the first rule whose condition holds "
            f"says how {features} are weighed"
        )
    text = (
        f"{who} of {full_title(game)} evolve for {plural(job.generations, 'generation')}. "
        f"A solver is a heuristic: {kind}. By it the search ({search_text(job.search)}) chooses "
        "what to try next."
    )
    if job.phases:
        names = ", ".join(job.phases)
        text += (
            f" It is the last phase of a schedule: deals reach it only where the earlier phases "
            f"({names}), which stay as they are, fail."
        )
    return text


def _trainer(job: Job) -> str:
    tell = _TRAINERS.get(job.trainer)
    return tell(job) if tell else _documented("trainer", job.trainer)


def _bred(job: Job) -> str:
    rates, own = job.solvers, job.operators
    chance = {
        "copies": rates.reproduction,
        "crossover": rates.crossover,
        "mutation": rates.mutation,
    }
    parts = ", ".join(f"{100 * share:.3g} % {name}" for name, share in chance.items() if share)
    text = f"parents are chosen by {own.selection or rates.selection} selection; {parts}"
    if rates.elite:
        best = "solver survives" if rates.elite == 1 else f"{rates.elite:,} solvers survive"
        text += f"; the best {best}"
    return text


_TRAINERS: Mapping[str, Callable[[Job], str]] = {
    "genetic": lambda job: (
        f"The trainer genetic breeds each generation from the one before: {_bred(job)}."
    ),
    "nsga-ii": lambda job: (
        "The trainer nsga-ii weighs nodes against the length of solutions: it keeps the solvers "
        "that no other beats in both, and breeds the others from them."
    ),
    "cma-es": lambda job: (
        "The trainer cma-es draws each generation from a normal distribution, and moves the "
        "distribution towards the fittest of them."
    ),
    "random": lambda job: (
        "The trainer random draws each generation at random. It learns nothing, so it is what "
        "every other trainer has to beat."
    ),
    "rules-gp": lambda job: (
        "The trainer rules-gp breeds the conditions of the rules by genetic programming, and "
        "tunes the numbers of the leading policy by CMA-ES."
    ),
}


def _problems(job: Job) -> str:
    tell = _SCHEMES.get(job.scheme)
    return tell(job) if tell else _documented("scheme", job.scheme)


def _coevolved(job: Job) -> str:
    rates = job.problems
    shared = "all meet the same ones" if rates.encounters == "shared" else "each meets its own"
    text = (
        f"They evolve against {plural(rates.population, 'problem')} of "
        f"{plural(rates.deals, 'deal')} each, from the deals {job.deals.train}. In a generation a "
        f"solver meets {plural(rates.meetings, 'problem')} ({shared}). Problems evolve, too, every "
        f"{plural(rates.every, 'generation')}: the more nodes the solvers need on a problem, as a "
        f"multiple of the baseline's, the fitter it is. {unsolved(job)}"
    )
    if rates.virulence:
        text += (
            f" Virulence is reduced: the fittest problems are those harder than "
            f"{100 * rates.virulence:.3g} % of the others."
        )
    return text


def unsolved(job: Job) -> str:
    """What a deal without a solution counts in the fitness of problems."""
    return (
        f"There a deal that no solver solved counts {plural(job.problems.penalty, 'node')}. Where "
        f"the baseline failed, it counts {plural(UNSOLVED_NODES, 'node')}."
    )


def _sample(job: Job) -> str:
    first, most = job.sample.deals, largest_sample(job)
    return plural(first, "deal") if first == most else f"{first} to {plural(most, 'deal')}"


_SCHEMES: Mapping[str, Callable[[Job], str]] = {
    "coevolution": _coevolved,
    "fixed": lambda job: (
        f"In every generation all solvers meet the same {_sample(job)}, drawn from the deals "
        f"{job.deals.train}."
    ),
    "resampled": lambda job: (
        f"In each generation all solvers meet {_sample(job)}, drawn anew from the deals "
        f"{job.deals.train}."
    ),
    "informative": lambda job: (
        f"In each generation all solvers meet {_sample(job)} of the deals {job.deals.train}. At "
        f"least {100 * job.informative.fresh:.3g} % of them are new; the others are earlier ones "
        "that rank solvers well and cost few nodes."
    ),
}


def _fitness(job: Job) -> str:
    budget = (
        f"A search gives up a deal after {plural(job.trained.nodes, 'node')} (positions generated)."
    )
    measure = job.fitness.measure
    tell = _MEASURES.get(measure)
    return f"{tell(job) if tell else _documented('measure', measure)} {budget}"


def _baseline(job: Job) -> str:
    if job.fitness.baseline:
        return f"of the preset {job.fitness.baseline}"
    if job.fitness.weights:
        weights = ", ".join(f"{name} {weight}" for name, weight in job.fitness.weights.items())
        return f"of the baseline ({weights})"
    return "of the game's baseline"


_MEASURES: Mapping[str, Callable[[Job], str]] = {
    "node-reduction": lambda job: (
        f"A solver's fitness is the share of the nodes {_baseline(job)} that it saves on the "
        "deals it meets."
    ),
    "log-nodes": lambda job: (
        "A solver's fitness grows as its nodes shrink, on a logarithmic scale: 1 for none, 0 if "
        "it fails on every deal."
    ),
    "relative": lambda job: (
        "A solver's fitness says how many fewer nodes it needs than the median solver of its "
        "generation, deal by deal, on a logarithmic scale."
    ),
    "cost-per-solved": lambda job: (
        "A solver's fitness grows as the nodes that it spends for each solved deal shrink, "
        "failures included."
    ),
}


def _champion(job: Job) -> str:
    candidate = standing(job)
    if candidate == "best":
        candidate += " solver"
    ranking = {
        "mean-nodes": "their mean nodes",
        "log-nodes": "the nodes of a typical deal",
        "cost-per-solved": "the nodes spent for each solved deal",
    }.get(job.validation.ranking, job.validation.ranking)
    return (
        f"After each generation, the {candidate} also solves the validation deals "
        f"({job.deals.validation}), which take no part in the training. The best of all "
        f"generations by {ranking} is the champion, whose weights the run keeps."
    )


def _documented(kind: str, name: str) -> str:
    """The first sentence of the documentation of a part that is not built in."""
    try:
        text = " ".join((plugins.find(kind, name).__doc__ or "").split())
    except plugins.PluginError:
        # A run can be read without parts of one's own that it was made with.
        text = ""
    first = text.partition(". ")[0].rstrip(".")
    return f"The {kind} is {name}: {first}." if first else f"The {kind} is {name}."


def differing(jobs: Mapping[str, Job]) -> list[tuple[str, ...]]:
    """The keys in which jobs differ, each with its value in every job, in the jobs' order.

    Args:
        jobs: by the name of their run.
    """
    tables = [dict(_flat(as_table(job))) for job in jobs.values()]
    keys = sorted({key for one in tables for key in one})
    rows = []
    for key in keys:
        values = [_text(one.get(key)) for one in tables]
        if len(set(values)) > 1:
            rows.append((key, *values))
    return rows


def _flat(table: Mapping[str, object], where: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{where}{key}.")
        elif not isinstance(value, Mapping):
            yield f"{where}{key}", value


def _text(value: object) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
