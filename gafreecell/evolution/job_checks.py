"""Checks jobs: keys that depend on one another, on the game, or on the parts that read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

from deals.errors import BadInput
from deals.words import plural
from gafreecell.evolution.job import (
    PARTS,
    Job,
    JobError,
    naming,
    overlap,
    training_pool,
    validation_pool,
)
from gafreecell.evolution.populations import Rates
from gafreecell.evolution.rule_genes import EVOLVED
from gafreecell.installed import plugins
from gafreecell.solitaire.abilities import ChecksDeals, HasPresets
from gafreecell.solitaire.game import Game, able, game, takes_rules, takes_schedules
from gafreecell.solving.contract import named_errors
from gafreecell.solving.outcome import Search
from gafreecell.solving.parameters import read_parameters
from gafreecell.solving.settings import toml_value
from gafreecell.solving.weights import LARGEST_WEIGHT


def completed(job: Job) -> Job:
    """Check what involves several keys or the game, and fill in the game's defaults.

    Raises:
        JobError: naming the key and what is allowed.
    """
    if not job.name or not all(c.isalnum() or c in "-_." for c in job.name):
        raise JobError.at("name", f" must be letters, digits, '-', '_' or '.', got {job.name!r}")
    chosen = naming("game", lambda: game(job.game))
    chosen = naming("variant", lambda: chosen.vary(**job.variant))
    train, validation = job.deals.train, job.deals.validation
    pools = replace(
        job.deals, train=train or chosen.training, validation=validation or chosen.validation
    )
    usual = not job.trained.features
    features = job.trained.features or chosen.default_features
    job = replace(job, deals=pools, trained=replace(job.trained, features=tuple(features)))
    _check_trained(job, chosen, usual)
    _check_exports(job, chosen)
    _check_phases(job, chosen)
    _check_rules(job, chosen)
    _check_baseline(job, chosen)
    _check_populations(job)
    first = training_pool(job, chosen)[0]
    validation_pool(job, chosen)
    if isinstance(chosen, ChecksDeals):
        naming("variant", partial(chosen.check_deal, first))
    return job


def check_overlap(job: Job) -> None:
    """Refuse validation deals that also train, unless the job allows them.

    Raises:
        JobError: naming how many are shared.
    """
    if job.deals.overlap == "allowed":
        return
    shared = overlap(job, job.load_game())
    if shared:
        raise JobError.at(
            "deals.validation",
            f": {plural(shared, 'deal')} of {job.deals.validation} also "
            f"{'trains' if shared == 1 else 'train'} ({job.deals.train}), so the champion would "
            "look better than it is: name other deals, or set deals.overlap = 'allowed'",
        )


def check_parts(job: Job) -> None:
    """Check that a job's trainer, scheme, measure and operators exist and suit the job.

    Raises:
        JobError: naming the key and what is allowed.
    """
    chosen = job.load_game()
    measure = naming("fitness.measure", lambda: plugins.part("measure", job.fitness.measure))
    trainer = naming("trainer", lambda: plugins.part("trainer", job.trainer))
    scheme = naming("scheme", lambda: plugins.part("scheme", job.scheme))
    parts = {"measure": measure, "trainer": trainer, "scheme": scheme}
    _check_tables(job, parts)
    if any(part.baseline for part in parts.values()):
        _check_usual_baseline(job, chosen)
    for part in parts.values():
        with named_errors(f"{part.__name__}.check", JobError):
            part.suits(job, chosen)
    choices = job.rules.count and job.rules.structure == EVOLVED
    if choices and job.validation.candidate == "centroid":
        raise JobError.at(
            "validation.candidate",
            ": the centroid is a mean of genes, but with rules.structure = "
            f"{EVOLVED!r} some genes are choices, which have no mean: use 'trainer' or 'fittest'",
        )
    _check_idle_keys(job, parts)
    _check_operators(job, trainer)
    _check_options(job, (measure, trainer, scheme))


def _check_tables(job: Job, parts: Mapping[str, Any]) -> None:
    """Refuse parts whose tables are called like others of the job."""
    for kind, part in parts.items():
        for name, declared in part.tables.items():
            if type(job.tables.get(name)) is not declared:
                raise JobError(
                    f"the {plugins.title(kind)} {part.name!r} cannot have a table [{name}], as "
                    "there is another one of this name: rename it"
                )


def _check_usual_baseline(job: Job, chosen: Game) -> None:
    """Refuse a search that cannot weigh the game's baseline, which a part compares with."""
    if not job.fitness.baseline and not job.fitness.weights:
        baseline = tuple(feature.name for feature in chosen.features if feature.baseline)
        naming(
            "fitness.baseline: the job names none, so the game's baseline weights are used",
            lambda: chosen.check(job.search, baseline),
        )


def _check_trained(job: Job, chosen: Game, usual: bool) -> None:
    """Check what is trained; ``usual`` says that the features are the game's defaults."""
    features = job.trained.features
    names = [feature.name for feature in chosen.features]
    if not features:
        raise JobError.at(
            "trained.features", f": {chosen.title} has no features whose weights can evolve"
        )
    for name in features:
        if name not in names:
            raise JobError.at("trained.features", f": {name!r} is not one of {', '.join(names)}")
    if len(set(features)) < len(features):
        raise JobError.at("trained.features", " names a feature twice")
    _check_ranges("trained.ranges", job.trained.ranges, features, "weight", "[-0.5, 1]")
    _check_ranges("rules.thresholds", job.rules.thresholds, features, "threshold", "[0, 0.5]")
    naming("trained.search", lambda: chosen.check(Search(job.trained.search)))
    naming("trained.parameters", lambda: chosen.check(job.search))
    try:
        chosen.check(job.search, features)
    except BadInput as error:
        unsaid = " (the job names none, so these are the game's defaults)" if usual else ""
        raise JobError.at(
            "trained.features",
            f"{unsaid}: {error}; 'gafreecell presets --game {job.game}' lists what "
            "each search weighs",
        ) from None


def _check_exports(job: Job, chosen: Game) -> None:
    """Refuse exports with bad names, and searches that cannot use what is trained."""
    for name, export in job.exports.items():
        where = f"exports.{name}"
        if not name or not all(c.isalnum() or c in "-_" for c in name) or name == "best":
            raise JobError.at(
                where, ": a name must consist of letters, digits, '-' and '_', and not be 'best'"
            )
        search = Search(export.search, export.parameters)
        naming(where, partial(chosen.check, search, job.trained.features))
        if job.phases and not takes_schedules(chosen, export.search):
            raise JobError.at(where, f": the search {export.search} takes no schedules")
        if job.phases and "rule" in export.parameters:
            raise JobError.at(
                f"{where}.parameters", ": each phase of a schedule has a rule of its own: drop rule"
            )


def _check_phases(job: Job, chosen: Game) -> None:
    """Refuse earlier phases without weights, and searches that take no schedules."""
    for name, phase in job.phases.items():
        where = f"phases.{name}"
        _check_weights(f"{where}.weights", phase.weights, chosen)
        if not phase.weights:
            raise JobError.at(where, " needs trained weights: give weights, or file")
        naming(where, partial(chosen.check, Search(job.trained.search), tuple(phase.weights)))
    if job.phases and not takes_schedules(chosen, job.trained.search):
        raise JobError.at("phases", f": the search {job.trained.search} takes no schedules")


def _check_rules(job: Job, chosen: Game) -> None:
    """Refuse rules if a search of the job takes none."""
    if job.rules.count:
        searches = {"rules.count": job.trained.search}
        searches |= {f"exports.{name}": export.search for name, export in job.exports.items()}
        for where, search in searches.items():
            if not takes_rules(chosen, search):
                raise JobError.at(where, f": the search {search} takes no rules")


def _check_baseline(job: Job, chosen: Game) -> None:
    """Refuse an invalid baseline, or two of them."""
    _check_weights("fitness.weights", job.fitness.weights, chosen)
    if job.fitness.baseline and job.fitness.weights:
        raise JobError.at("fitness", ": baseline and weights both define the baseline: drop one")
    if job.fitness.baseline:
        with_presets = able(chosen, HasPresets, "cannot take a preset as baseline")
        naming("fitness.baseline", lambda: with_presets.preset(job.fitness.baseline))
    elif job.fitness.weights:
        naming("fitness.weights", partial(chosen.check, job.search, tuple(job.fitness.weights)))


def _check_weights(where: str, weights: Mapping[str, Any], chosen: Game) -> None:
    """Refuse weights that are not numbers, and features that the game does not have."""
    names = [feature.name for feature in chosen.features]
    for feature, weight in weights.items():
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not number or not abs(weight) <= LARGEST_WEIGHT:
            raise JobError.at(f"{where}.{feature}", f" must be a number, got {weight!r:.40}")
        if feature not in names:
            raise JobError.at(where, f": {feature!r} is not one of {', '.join(names)}")


def _check_ranges(
    where: str, ranges: Mapping[str, Any], features: Sequence[str], of: str, example: str
) -> None:
    """Refuse ranges of features that are not trained, and values that are not ranges."""
    for name, ends in ranges.items():
        if name not in features:
            raise JobError.at(where, f": {name!r} is not one of {', '.join(features)}")
        if not _is_range(ends):
            raise JobError.at(
                f"{where}.{name}",
                f" must be two numbers, the least {of} and a larger one, as in "
                f"{example}, got {ends!r:.40}",
            )


def _is_range(ends: Any) -> bool:
    """Whether these are two weights, the second larger than the first."""
    if not isinstance(ends, list | tuple) or len(ends) != 2:
        return False
    numbers = all(isinstance(end, int | float) and not isinstance(end, bool) for end in ends)
    return numbers and -LARGEST_WEIGHT <= ends[0] < ends[1] <= LARGEST_WEIGHT


def _check_populations(job: Job) -> None:
    for label, rates in {"solvers": job.solvers, **job.tables}.items():
        if not isinstance(rates, Rates):
            continue
        total = rates.reproduction + rates.crossover + rates.mutation
        if abs(total - 1) > 1e-9:
            raise JobError.at(
                label, f": reproduction, crossover and mutation must sum to 1, got {total:g}"
            )
        if rates.elite >= rates.population:
            raise JobError.at(
                f"{label}.elite", f" must be less than the population, got {rates.elite}"
            )


def _check_operators(job: Job, trainer: Any) -> None:
    """Refuse operators that the trainer does not use; it has checked the others itself."""
    for kind in plugins.FUNCTIONS:
        if getattr(job.operators, kind) and kind not in trainer.operators:
            able = plugins.those("trainer", partial(_breeds_with, kind))
            raise JobError.at(
                f"operators.{kind}",
                f": the trainer {job.trainer} has no {kind}: drop it (or set "
                f'operators.{kind} = ""), or use a trainer that has one: {", ".join(able)}',
            )


def _breeds_with(kind: str, trainer: Any) -> bool:
    return kind in trainer.operators


def _check_options(job: Job, parts: Sequence[Any]) -> None:
    by_name = {part.name: part for part in parts}
    operators = [getattr(job.operators, kind) for kind in plugins.FUNCTIONS]
    for name, given in job.options.items():
        where = f"options.{name}"
        if name in operators or given == {}:
            # Checked together with the operator, or emptied because its operator was replaced.
            continue
        if name not in by_name:
            used = ", ".join([*by_name, *filter(None, operators)])
            raise JobError.at(
                where,
                f": nothing in this job is called {name!r}; it uses {used}: drop the "
                f"section [{where}]",
            )
        if not isinstance(given, Mapping):
            raise JobError.at(where, f" must be a table, got {given!r}")
        known = by_name[name].parameters
        naming(where, partial(read_parameters, name, known, given, "option"))


def with_options(job: Job) -> Job:
    """The job with the options of its trainer, scheme and measure, their defaults filled in.

    So a run keeps them, even if the part's next version has others.
    """
    names = {"trainer": job.trainer, "scheme": job.scheme, "measure": job.fitness.measure}
    parts = [plugins.part(kind, name) for kind, name in names.items()]
    filled = {
        part.name: read_parameters(part.name, part.parameters, job.options.get(part.name, {}))
        for part in parts
        if part.parameters
    }
    return replace(job, options={**job.options, **filled})


def _check_idle_keys(job: Job, parts: Mapping[str, Any]) -> None:
    """Refuse keys that none of the job's parts reads: their values would change nothing."""
    for name, table in job.tables.items():
        usual = type(table)()
        refused = getattr(table, "refused", [spec.name for spec in fields(table)])
        for only in refused:
            key, default = f"{name}.{only}", getattr(usual, only)
            read = any(_reads(key, part) for part in parts.values())
            if read or getattr(table, only) == default:
                continue
            for kind in PARTS:
                if able := plugins.those(kind, partial(_reads, key)):
                    raise JobError.at(
                        key,
                        f": the {kind} {parts[kind].name} does not read it: drop it (or set "
                        f"{key} = {toml_value(default)}, the default), or use the {kind} "
                        f"{' or '.join(able)}",
                    )
    if job.fitness.weights and not any(part.baseline for part in parts.values()):
        measures, schemes = (
            " or ".join(plugins.those(kind, lambda part: part.baseline))
            for kind in ("measure", "scheme")
        )
        raise JobError.at(
            "fitness.weights",
            f": neither the measure {job.fitness.measure} nor the scheme {job.scheme} uses a "
            "baseline: drop them (or set fitness.weights = {}), or use the measure "
            f"{measures} or the scheme {schemes}",
        )


def _reads(key: str, part: Any) -> bool:
    """Whether a part reads a key of a table."""
    return key.partition(".")[0] in part.tables and key not in part.unread
