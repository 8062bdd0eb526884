"""A job in words: what evolves, against what, and how its best is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from deals.words import plural
from gafreecell.evolution.job import Job
from gafreecell.evolution.settings import as_table
from gafreecell.evolution.validation import RANKINGS
from gafreecell.figures.courses import standing
from gafreecell.installed import plugins
from gafreecell.solitaire.game import Game, full_title, search_text


def in_words(job: Job, game: Game) -> list[str]:
    """What a job does, in five paragraphs for readers who have not seen it.

    They are about the solvers, the trainer, the problems, the fitness and the champion.

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
    return (
        f"After each generation, the {candidate} also solves the validation deals "
        f"({job.deals.validation}), which take no part in the training. The best of all "
        f"generations by {ranking} is the champion, whose weights the run keeps."
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
