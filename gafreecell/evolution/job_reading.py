"""Reads jobs from files, texts and mappings, and checks them.

Messages name the file, the line, the key, the value and what is allowed.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from deals.errors import BadInput
from gafreecell.evolution.idle_keys import check_idle_keys
from gafreecell.evolution.job import (
    ChangeError,
    Job,
    JobError,
    Pools,
    job_error,
    naming,
    part_tables,
    training_pool,
    validation_pool,
)
from gafreecell.evolution.key_lines import KeyLines
from gafreecell.evolution.populations import Rates
from gafreecell.evolution.rule_genes import EVOLVED
from gafreecell.evolution.schemes.racing import Racing
from gafreecell.evolution.settings import as_table, build, merged
from gafreecell.installed import plugins, shipped
from gafreecell.solitaire.abilities import ChecksDeals, HasPresets
from gafreecell.solitaire.game import DEFAULT, Game, able, game, takes_rules, takes_schedules
from gafreecell.solving.contract import named_errors
from gafreecell.solving.files import read_text
from gafreecell.solving.outcome import BEST_FIRST, PHASE_RULES, Evaluator, Search
from gafreecell.solving.parameters import read_parameters
from gafreecell.solving.weights import LARGEST_WEIGHT, check_game, read_weights


def read_job(path: str | os.PathLike[str]) -> Job:
    """Read and check a job file.

    Args:
        path: of the TOML file.

    Raises:
        JobError: naming the file, the key, the value and what is allowed.
    """
    return parse_job(_text_of(path), str(path))


def parse_job(
    text: str, name: str, changes: Mapping[str, Any] | None = None, kept: bool = False
) -> Job:
    """Read and check a job's text.

    Args:
        text: TOML.
        name: the text's name in messages; files in it are relative to its folder.
        changes: values that replace the text's, by key; tables are changed key by key.
        kept: whether it is the job of an existing run, as for ``kept_job``.

    Raises:
        ChangeError: if the text is right and the changes are not.
        JobError: naming the line or key, the value and what is allowed.
    """
    table, folder = parse_toml(text, name), Path(name).parent
    make = kept_job if kept else make_job
    try:
        return make(_with_phases(merged(table, changes or {}), folder))
    except JobError as error:
        if changes and not _fails(table, folder, error.key):
            raise ChangeError(str(error), error.key) from None
        line = KeyLines(text, table).line_of(error.key)
        where = f", line {line}" if line else ""
        raise JobError(f"{name}{where}: {error}", error.key) from None


def _fails(table: dict[str, Any], folder: Path, key: str) -> bool:
    """Whether a table is at fault in the same key without any changes."""
    try:
        make_job(_with_phases(table, folder))
    except JobError as error:
        return error.key == key
    return False


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The table in a TOML text; ``JobError`` naming the line if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise JobError(f"{name}: not TOML: {error}") from None


def make_job(job: Job | Mapping[str, Any], **changes: Any) -> Job:
    """A checked job with the game's defaults filled in.

    Args:
        job: a job, or its keys and tables as a mapping; files that it names are relative to the
            working directory.
        changes: values to replace, by key; a mapping changes a table key by key, and an empty one
            empties it.

    Raises:
        JobError: naming the key, the value and what is allowed.
    """
    made = _made(_table_of(job, changes))
    try:
        check_parts(made)
    except BadInput as error:
        raise job_error(error) from None
    return made


def kept_job(job: Job | Mapping[str, Any], **changes: Any) -> Job:
    """Like ``make_job``, but without ``check_parts``.

    Use it for the job of an existing run, which was checked when the run began. Plug-ins that the
    run was made with need not be installed to read it: it then has their tables as mappings.
    """
    table = _table_of(job, changes)
    known = {*part_tables(table), *(spec.name for spec in fields(Job))}
    gone = {
        name: table.pop(name)
        for name, given in list(table.items())
        if name not in known and isinstance(given, Mapping)
    }
    made = _made(table)
    return replace(made, tables={**made.tables, **gone})


def _table_of(job: Job | Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    table = merged(as_table(job) if isinstance(job, Job) else job, changes)
    return _with_phases(table, Path())


def _made(table: Mapping[str, Any]) -> Job:
    """The job of a table, without ``check_parts``."""
    try:
        return _checked(build(Job, table))
    except BadInput as error:
        raise job_error(error) from None


def _with_phases(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A job's table with the files of earlier phases replaced by the weights in them.

    Raises:
        JobError: naming the phase.
    """
    phases = table.get("phases")
    if not isinstance(phases, Mapping):
        return table
    read = {}
    for name, phase in phases.items():
        file = phase.get("file") if isinstance(phase, Mapping) else None
        if not file or phase.get("weights"):
            read[name] = phase
            continue
        if not isinstance(file, str):
            raise JobError.at(
                f"phases.{name}.file", f" must be the path of a file, got {file!r:.60}"
            )
        path = folder / file
        if path.is_dir():
            # A run folder.
            path = path / "weights" / "best.json"
        where = f"phases.{name}.file"
        weights = naming(where, partial(read_weights, path))
        naming(where, partial(check_game, weights, str(table.get("game", DEFAULT)), str(path)))
        given = weights.evaluator or Evaluator((), ())
        rule = weights.search.parameters.get("rule", BEST_FIRST)
        if given.phases:
            rule = given.phases[-1].rule
        if rule not in PHASE_RULES and "rule" not in phase:
            raise JobError.at(
                where,
                f": {path}: search.parameters.rule must be {' or '.join(PHASE_RULES)}, got "
                f"{rule!r:.40}",
            )
        row = dict(zip(given.features, given.rows[-1], strict=True))
        # Features of a schedule's other phases have weight 0 here.
        row = {feature: weight for feature, weight in row.items() if weight}
        if not row:
            raise JobError.at(f"phases.{name}.file", f": {file!r} holds no weights")
        read[name] = {"rule": rule, **phase, "weights": row}
    return {**table, "phases": read}


def load_job(
    job: Job | Mapping[str, Any] | str | os.PathLike[str], changes: Mapping[str, Any]
) -> Job:
    """A checked job from a job, a mapping, or the path of a file."""
    if isinstance(job, Job | Mapping):
        return make_job(job, **changes)
    if not isinstance(job, str | os.PathLike):
        raise JobError(
            f"a job must be a gafreecell.Job, a mapping or the path of a file, got {job!r:.60}"
        )
    return parse_job(_text_of(job), str(job), changes)


def _text_of(path: str | os.PathLike[str]) -> str:
    try:
        return read_text(path, "a job file (TOML)", JobError)
    except JobError as error:
        hint = shipped.hint(path) if isinstance(path, str | os.PathLike) else ""
        raise JobError(f"{error}{hint}") from None


def _checked(job: Job) -> Job:
    """Check what involves several keys or the game, and fill in the game's defaults."""
    if not job.name or not all(c.isalnum() or c in "-_." for c in job.name):
        raise JobError.at("name", f" must be letters, digits, '-', '_' or '.', got {job.name!r}")
    chosen = naming("game", lambda: game(job.game))
    chosen = naming("variant", lambda: chosen.vary(**job.variant))
    train, validation = job.deals.train, job.deals.validation
    pools = Pools(train or chosen.training, validation or chosen.validation)
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
            part.check(job, chosen)
    if job.table(Racing).rounds > 1 and not scheme.races:
        raise JobError.at(
            "racing.rounds",
            f": solvers cannot race in the scheme {job.scheme!r}, which needs each "
            "solver's outcomes on all its problems: set racing.rounds = 1",
        )
    if (
        job.validation.candidate == "centroid"
        and job.rules.count
        and job.rules.structure == EVOLVED
    ):
        raise JobError.at(
            "validation.candidate",
            ": the centroid is a mean of genes, but with rules.structure = "
            f"{EVOLVED!r} some genes are choices, which have no mean: use 'trainer' or 'fittest'",
        )
    check_idle_keys(job, parts)
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
        if name in operators:
            # Checked together with the operator.
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
