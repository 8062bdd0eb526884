"""A run: the content of its folder, and what can be read from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deals.checks import expected
from deals.errors import BadInput
from deals.words import plural, speakable
from gafreecell.evolution.costs import Spent, costs_of
from gafreecell.evolution.earlier_phases import validated
from gafreecell.evolution.job import Job
from gafreecell.evolution.measures.log_nodes import unshifted
from gafreecell.evolution.parts import State
from gafreecell.evolution.populations import logbook
from gafreecell.evolution.validation import Champion
from gafreecell.runs import hall_of_fame, individuals
from gafreecell.runs.folder import BEST, RunError
from gafreecell.runs.front import FrontPoint, shift_of, with_fronts
from gafreecell.runs.notebook import curve_svg, from_to, table_html
from gafreecell.runs.rows import data_frame, rows_of
from gafreecell.solitaire.game import full_title
from gafreecell.solving.outcome import Limits, Search
from gafreecell.solving.weights import Weights, read_weights

if TYPE_CHECKING:
    from pandas import DataFrame

    from gafreecell.evolution.generation import Genome


@dataclass
class Run:
    """A run folder and its content.

    Attributes:
        folder: its path.
        job: the job.
        state: the present state.
        lines: the log, a mapping for each completed generation.
        validated: the results of each generation's best solver on the validation deals.
    """

    folder: Path
    job: Job
    state: State
    lines: list[dict[str, Any]]
    validated: list[dict[str, Any]] = field(default_factory=list)

    def __repr__(self) -> str:
        done = f"{self.generation} of {plural(self.job.generations, 'generation')} done"
        champion = self.state.champion
        best = f", best weights of generation {champion.generation}" if champion else ""
        return f"<gafreecell.Run {self.folder}: {self.job.game}, {done}{best}>"

    @property
    def label(self) -> str:
        """The run's name in figures and tables."""
        return speakable(self.folder.name)

    @property
    def generation(self) -> int:
        """Generations completed."""
        return self.state.generation

    @property
    def finished(self) -> bool:
        """Whether the run has reached an end of its job."""
        return bool(self.ending)

    @property
    def ending(self) -> str:
        """Why the run is finished, in words; empty if it is not."""
        return ending(self.job, self.lines)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features whose weights evolve, or of all genes of rules, in order."""
        return self.job.genes

    @property
    def best(self) -> Champion:
        """The best weights so far, as the validation deals rank them.

        Raises:
            RunError: before the first generation is done.
        """
        self._check_begun()
        assert self.state.champion is not None
        return self.state.champion

    @property
    def hall_of_fame(self) -> list[Champion]:
        """The best distinct solvers of the run, as the validation deals rank them.

        The first is ``best``. The job's ``hall_of_fame`` limits their number. Each was the best
        of its generation, because only these are measured on the validation deals.
        ``weights_of`` turns one into weights to solve with.
        """
        return hall_of_fame.members(self.lines, self.validated, self.job.hall_of_fame)

    @property
    def has_front(self) -> bool:
        """Whether there is a ``front``: the trainer has two objectives and logs their front."""
        return bool(self.lines) and "front" in self.lines[-1]

    @property
    def front(self) -> list[FrontPoint]:
        """The Pareto front of a bi-objective run, from the fastest solver to the shortest.

        These are the solvers of the last generation that no other dominates in nodes and length,
        on the deals of that generation.

        Raises:
            RunError: if the trainer logs no fronts, or before the first generation.
        """
        self._check_begun()
        last = self.lines[-1]
        if not self.has_front:
            raise RunError(
                f"{self.folder} has no front: only runs of the trainer {with_fronts()} have one, "
                f"and its trainer is {self.job.trainer}"
            )
        shift = shift_of(self.job)
        return [
            FrontPoint(
                point["log_nodes"],
                point["length"],
                self._weights(tuple(point["weights"]), last["generation"], front=place),
                shift,
            )
            for place, point in enumerate(last["front"])
        ]

    @property
    def weights(self) -> Weights:
        """The best weights, for the search they evolved in."""
        return self.weights_of(self.best)

    def weights_of(self, solver: Champion) -> Weights:
        """The weights of a solver of the hall of fame, for the search it evolved in."""
        what = "weights_of takes a solver of run.hall_of_fame, or run.best"
        expected(solver, Champion, what, RunError)
        return self._weights(solver.weights, solver.generation)

    def nodes_of(self, solver: Champion) -> float:
        """What a solver of the hall of fame needs for a validation deal, in nodes.

        That is its ``value``, by which the job's ``validation.ranking`` ranks it, in nodes: the
        mean (``mean-nodes``), the shifted geometric mean (``log-nodes``), or the nodes for each
        deal solved (``cost-per-solved``). Charges count as the nodes that weigh as much.
        """
        expected(solver, Champion, "nodes_of takes a solver of run.hall_of_fame", RunError)
        ranking = self.job.validation.ranking
        if ranking == "mean-nodes":
            return solver.value
        shift = self.job.load_game().scales.nodes if ranking == "log-nodes" else 0
        return unshifted(solver.value, shift)

    def candidate(self, generation: int = -1) -> Weights:
        """The candidate of a generation: the weights that stood for it, champion or not.

        Args:
            generation: counted from 1, or from the end: -1 is the last.

        Raises:
            RunError: if there is no such generation.
        """
        self._check_begun()
        number = generation if generation > 0 else len(self.lines) + 1 + generation
        if not 1 <= number <= len(self.lines):
            raise RunError(
                f"{self.folder} has generations 1 to {len(self.lines)}, got {generation}"
            )
        return self._weights(tuple(self.lines[number - 1]["best_weights"]), number)

    @property
    def costs(self) -> dict[str, Spent] | None:
        """What the run has cost: its solvers, its validation and its baseline.

        None if its log does not say, as that of some reference runs. Only searches count. What the
        run remembered counts again, and so does the validation of a champion that stands for
        several generations, but not the baseline, unless it met a deal in an earlier process.
        """
        return costs_of(self.lines)

    @property
    def exports(self) -> dict[str, Weights]:
        """The best weights for the other searches that the job names."""
        return {
            name: replace(
                self.weights,
                search=Search(export.search, export.parameters),
                limits=Limits(nodes=export.nodes, memory=export.memory),
            )
            for name, export in self.job.exports.items()
        }

    def _weights(self, genome: Genome, generation: int, **source: Any) -> Weights:
        return self.job.weights(genome, generation=generation, **source)

    def _check_begun(self) -> None:
        if self.state.champion is None:
            raise RunError(f"{self.folder}: no generation is done yet, so there are no weights")

    def to_pandas(self, machine: bool = False) -> DataFrame:
        """The log as a data frame, one row a generation.

        Args:
            machine: whether to include columns that may differ between machines
                (``machine_seconds``, rates).

        Returns:
            A data frame indexed by ``generation`` with numeric columns:
            ``solvers_best``, ``solvers_mean``, ``solvers_q05`` to ``solvers_q95`` (quantiles
            of fitness; likewise for ``problems``), ``weight_<feature>`` of the generation's best,
            ``candidate_value``, ``candidate_solved``, ``candidate_nodes`` (its results on the
            validation deals), ``validation_value``, ... (those of the best so far, from
            generation ``validation_generation``), ``evaluations``, ``solved``, ``nodes``.

        Raises:
            MissingExtra: if pandas is not installed.
        """
        return data_frame(rows_of(self.lines, self.validated, self.features, machine))

    def individuals(self) -> DataFrame:
        """Every solver of every generation, if the job's ``individuals`` asked for the record.

        Returns:
            A data frame indexed by ``generation`` and ``solver``, its place. The columns are
            ``fitness``; ``evaluations``, ``solved`` and ``nodes``; ``deals``, their numbers or
            names between spaces; ``met``, the numbers by which the scheme knows what it met; the
            weights by the features' names; ``operator`` and ``parents``, their places in the
            generation before, where the trainer tells them.

        Raises:
            RunError: if the run keeps no such record.
            MissingExtra: if pandas is not installed.
        """
        return individuals.table(self.folder)

    def _repr_html_(self) -> str:
        job, champion = self.job, self.state.champion
        title = f"{full_title(job.load_game())}; {job.trainer}, {job.scheme}, seed {job.seed}"
        done = f"{self.generation} of {plural(job.generations, 'generation')} done"
        if self.finished and self.generation < job.generations:
            done += f"; finished: {self.ending}"
        rows = [("job", escape(f"{job.name}: {title}")), ("run", escape(f"{self.folder}: {done}"))]
        if champion is not None:
            nodes = (
                f", {plural(champion.nodes, 'node', digits=',.0f')} on average"
                if champion.solved
                else ""
            )
            best = f"generation {champion.generation}, {validated(job, champion.solved)}{nodes}"
            rows.append(("best weights", escape(best)))
            values = [line["validation"]["value"] for line in self.lines]
            fall = f"{curve_svg(values)} {from_to(values)}, smaller is better"
            rows.append(("validation value", fall))
            pairs = zip(self.features, champion.weights, strict=True)
            rows.append(("weights", escape(", ".join(f"{name} {w:.3f}" for name, w in pairs))))
        return table_html(rows)

    def copy(self) -> Run:
        """A snapshot of the run; nothing done to the copy changes this one."""
        return deepcopy(self)

    def write_weights(self) -> None:
        """Write ``weights/best.json`` and the exports into the folder."""
        best = self.folder / BEST
        best.parent.mkdir(exist_ok=True)
        self.weights.write(best)
        self.write_exports(self.exports)

    def write_exports(self, names: Iterable[str]) -> None:
        """Write some of the exports into the folder."""
        exports = self.exports
        for name in names:
            exports[name].write(self._export_file(name))

    @property
    def changed_exports(self) -> list[str]:
        """Names of the exports that the folder lacks, or has for another search or budget."""
        return [name for name, weights in self.exports.items() if not self._has(name, weights)]

    def _has(self, name: str, weights: Weights) -> bool:
        """Whether an export's file is for its search and budget."""
        try:
            found = read_weights(self._export_file(name))
        except BadInput:
            return False
        return (found.search, found.limits) == (weights.search, weights.limits)

    def _export_file(self, name: str) -> Path:
        return (self.folder / BEST).with_name(f"{name}.json")

    @property
    def logbook(self) -> Any:
        """The log as a DEAP logbook, with a chapter for each population."""
        return logbook(self.lines)


def ending(job: Job, lines: Sequence[Mapping[str, Any]]) -> str:
    """Why a run of a job ends after some generations, in words; empty if it goes on.

    Args:
        job: the job.
        lines: the log's, of these generations.
    """
    done, stop = len(lines), job.stop
    if done >= job.generations:
        if done == 1:
            return "its one generation is done"
        return f"all its {done:,} generations are done"
    if stop.evaluations and sum(line["evaluations"] for line in lines) >= stop.evaluations:
        return f"its {stop.evaluations:,} evaluations are done"
    if not lines:
        return ""
    best = lines[-1]["validation"]
    if best["value"] <= stop.target:
        return f"its best weights reached the target {stop.target:g}"
    if stop.patience and done - best["generation"] >= stop.patience:
        return f"no better weights in {plural(stop.patience, 'generation')}"
    return ""


class Snapshots:
    """Copies of a run for callbacks: nothing that is done to them reaches the run.

    They have their lines in common.

    Args:
        run: the run, which gets further generations.
    """

    def __init__(self, run: Run) -> None:
        self._run, self._copy = run, run.copy()

    def __call__(self) -> Run:
        """The run as it is now; copying only what is new takes as long in any generation."""
        for copied, kept in (
            (self._copy.lines, self._run.lines),
            (self._copy.validated, self._run.validated),
        ):
            copied += deepcopy(kept[len(copied) :])
        return replace(
            self._copy,
            job=deepcopy(self._run.job),
            state=deepcopy(self._run.state),
            lines=list(self._copy.lines),
            validated=list(self._copy.validated),
        )
