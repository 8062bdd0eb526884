"""What runs consist of and what they learnt: jobs in words, weights, and the deals that taught."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deals.words import plural
from gafreecell import figures
from gafreecell.evolution.earlier_phases import validated
from gafreecell.evolution.job import Job, job_text, overlap
from gafreecell.evolution.validation import RANKINGS
from gafreecell.figures import FigureError
from gafreecell.figures.courses import standing
from gafreecell.figures.style import new_axes
from gafreecell.installed import plugins
from gafreecell.pages.picture import Part, Picture, picture
from gafreecell.pages.trial import ShownRun, Trial
from gafreecell.runs.environment import command_of
from gafreecell.solitaire.game import Deal, Game, full_title, search_text
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.settings import as_table, flat
from gafreecell.terminal.tables import Table

NARROW = 5.9
"""Inches that a picture is wide of which two stand side by side."""


@dataclass(frozen=True)
class Story:
    """A run in words.

    Attributes:
        name: of the run.
        paragraphs: what its job does, without what all jobs of the page have in common.
        job: the job file with every key.
        rules: the conditions of a policy of rules, one a line.
        command: runs the job again.
    """

    name: str
    paragraphs: Sequence[str]
    job: str
    rules: Sequence[str]
    command: str


def differences(runs: Mapping[str, ShownRun]) -> Table | None:
    """The keys in which the jobs of several runs differ; None if there are none."""
    tables = [dict(flat(as_table(run.job))) for run in runs.values()]
    rows = []
    for key in sorted({key for one in tables for key in one}):
        values = [_text(one.get(key)) for one in tables]
        if len(set(values)) > 1:
            rows.append((key, *values))
    return Table("What differs between the jobs", ["key", *runs], rows) if rows else None


def _text(value: object) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def in_words(job: Job, game: Game) -> list[str]:
    """What a job does, in five paragraphs for readers who have not seen it.

    They are about the solvers, the trainer, the deals, the fitness and the champion.

    Parts are told in their own ``words``, or by the first sentence of their documentation.

    Args:
        job: the job.
        game: its game.
    """
    return [
        _solvers(job, game),
        _told("trainer", job.trainer, job),
        _told("scheme", job.scheme, job),
        _fitness(job),
        _champion(job),
    ]


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


def _fitness(job: Job) -> str:
    budget = (
        f"A search gives up a deal after {plural(job.trained.nodes, 'node')} (positions generated)."
    )
    return f"{_told('measure', job.fitness.measure, job)} {budget}"


def _champion(job: Job) -> str:
    candidate = standing(job)
    if candidate == "best":
        candidate += " solver"
    ranking, _ = RANKINGS[job.validation.ranking]
    shared = overlap(job, job.load_game())
    apart = f"of which {shared:,} also train" if shared else "which take no part in the training"
    return (
        f"After each generation, the {candidate} also solves the validation deals "
        f"({job.deals.validation}), {apart}. The best of all generations by {ranking} is the "
        "champion, whose weights the run keeps."
    )


def _told(kind: str, name: str, job: Job) -> str:
    """A part in its own words, or by the first sentence of its documentation."""
    try:
        part = plugins.find(kind, name)
    except plugins.PluginError:
        # A run can be read without parts of one's own that it was made with.
        return f"The {kind} is {name}."
    first = " ".join((part.__doc__ or "").split()).partition(". ")[0].rstrip(".")
    return part.words(job) or (
        f"The {kind} is {name}: {first}." if first else f"The {kind} is {name}."
    )


def stories(runs: Mapping[str, ShownRun]) -> tuple[list[str], list[Story]]:
    """The jobs in words: what all have in common, and what each run has of its own."""
    words = {name: in_words(run.job, run.job.load_game()) for name, run in runs.items()}
    columns = list(zip(*words.values(), strict=True))
    shared = [texts[0] for texts in columns if len(set(texts)) == 1]
    return shared, [
        _story(name, run, [text for text in words[name] if text not in shared], place, len(runs))
        for place, (name, run) in enumerate(runs.items(), start=1)
    ]


def _story(name: str, run: ShownRun, own: Sequence[str], place: int, runs: int) -> Story:
    job = run.job
    ending = f"{run.generation:,} of {plural(job.generations, 'generation')} are done"
    if run.finished and run.generation < job.generations:
        ending += f"; the run is finished, because {run.ending}"
    ending += f". The champion is of generation {run.best.generation:,}: "
    ending += f"{_validated(job, run.best.solved)}."
    if run.costs is not None:
        parts = [
            f"{plural(cost.evaluations, 'evaluation')} with {plural(cost.nodes, 'node')} for "
            f"{'training' if purpose == 'solvers' else f'the {purpose}'}"
            for purpose, cost in run.costs.items()
            if cost.evaluations
        ]
        ending += f" The run cost {', '.join(parts)}."
    evaluator = job.evaluator(run.best.weights)
    out = "out/again" if runs == 1 else f"out/again-{place}"
    return Story(
        name,
        [*own, ending],
        job_text(job),
        [f"Rule {number}: if {rule.told('.3g')}" for number, rule in enumerate(evaluator.rules, 1)],
        command_of(run.folder, out),
    )


def _validated(job: Job, solved: int) -> str:
    """How many validation deals were solved, whatever the user's cache knows of them."""
    if job.phases:
        return f"{solved:,} solved of those of {job.deals.validation} that earlier phases leave"
    return validated(job, solved)


def weights(found: Trial) -> Iterator[Table]:
    """The champions' weights: a table for all weighted sums, one for each other evaluator."""
    meanings = {feature.name: feature.meaning for feature in found.game.features}
    evaluators = {name: run.job.evaluator(run.best.weights) for name, run in found.runs.items()}
    plain = {name: one for name, one in evaluators.items() if not one.rules and not one.phases}
    if plain:
        names = list(dict.fromkeys(feature for one in plain.values() for feature in one.features))
        values = {
            name: dict(zip(one.features, one.weights, strict=True)) for name, one in plain.items()
        }
        yield Table(
            "Weights of the champion" if len(plain) == 1 else "Weights of the champions",
            ["feature", *(["weight"] if len(found.runs) == 1 else plain), "what it measures"],
            [
                [
                    feature,
                    *(f"{one[feature]:.3f}" if feature in one else "-" for one in values.values()),
                    meanings.get(feature, ""),
                ]
                for feature in names
            ],
        )
    for name, one in evaluators.items():
        if name not in plain:
            yield _parts_table(name, one, meanings)


def _parts_table(name: str, one: Evaluator, meanings: Mapping[str, str]) -> Table:
    """The weights of a schedule's phases, or of a policy's rules."""
    rows = [
        [feature, *(f"{weight:.3f}" for weight in weights), meanings.get(feature, "")]
        for feature, *weights in zip(one.features, *one.rows, strict=True)
    ]
    if one.rules:
        columns = [*(f"rule {place}" for place in range(1, len(one.rules) + 1)), "default"]
        rows.insert(0, ["(offset)", *(f"{offset:.3f}" for offset in one.offsets), ""])
        what = "Weights of the champion's rules"
    else:
        columns = [f"phase {place}" for place in range(1, len(one.phases) + 1)]
        what = "Weights of the phases of the champion's schedule"
    return Table(f"{what}: {name}", ["feature", *columns, "what it measures"], rows)


def weight_picture(name: str, run: ShownRun, alone: bool) -> Picture:
    """How the weights of a run changed.

    Args:
        name: the run's.
        run: the run.
        alone: whether no other picture stands beside it.
    """

    def draw() -> Any:
        if alone:
            return figures.plot_weights(run)
        (axes,) = new_axes(1, NARROW, max(1.9 + 0.3 * len(run.features), 3.2))
        return figures.plot_weights(run, axes)

    part = Part("weight, scaled so that the generation's largest is 1")
    return picture(f"Weights of {name} over the generations", draw, [part])


def front(name: str, run: ShownRun, deals: Sequence[Deal], jobs: int) -> tuple[Picture, Table]:
    """The fronts of a run with two objectives: a figure, and the last one as a table.

    Args:
        name: the run's.
        run: the run.
        deals: on which all fronts of the figure are measured.
        jobs: how many deals are solved at once, -1 for one per core.
    """
    data = figures.front_data(run, deals, jobs)
    drawn = picture(
        f"Pareto fronts of {name}",
        lambda: figures.draw_front(data),
        [Part("mean length", "moves", "nodes of a typical deal")],
    )
    rows = [
        [str(place), f"{point.nodes:,.0f}", f"{point.length:.1f}"]
        for place, point in enumerate(run.front)
    ]
    export = f"gafreecell export {shlex.quote(str(run.folder))} --front N"
    note = f"'{export} -o weights.json' writes the weights at place N."
    header = ["place", "nodes of a typical deal", "mean length"]
    caption = f"The front of {name} after generation {run.generation}, on that generation's deals"
    return drawn, Table(caption, header, rows, [note])


def deals(runs: Mapping[str, ShownRun]) -> tuple[Picture | None, str]:
    """The figure of the deals that taught, and a note on the runs that it lacks.

    The figure is None if no run has logged what its deals were like.
    """
    drawn, missing = list[ShownRun](), list[str]()
    for name, run in runs.items():
        try:
            figures.deals_data(run)
            drawn.append(run)
        except FigureError:
            missing.append(name)
    note = ""
    if missing:
        note = (
            f"The log of {', '.join(missing)} does not describe the deals of each generation: an "
            "earlier version of gafreecell made it."
        )
    if not drawn:
        return None, note
    parts = [
        Part("hardness: nodes of the median solver", "nodes"),
        Part("price: nodes of each solver", "nodes"),
        Part("informativeness"),
    ]
    return picture("The deals of each generation", lambda: figures.plot_deals(drawn), parts), note


def last_deals(name: str, run: ShownRun) -> Iterator[Table]:
    """The deals that a run's state holds, or sets of them, if its scheme keeps some."""
    try:
        scheme = plugins.find("scheme", run.job.scheme)
    except plugins.PluginError:
        # A run can be read without a scheme of one's own that it was made with.
        return
    yield from scheme.remembered(run.state.scheme, run.job, name)
