"""The full record of a run: every solver, what it met, and what it comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command, job_table, refused
from run_folders import ONE, log_of, same, state_of
from toy_game import nodes_needed

import gafreecell
from deals.errors import BadInput
from gafreecell.evolution.generation import Result
from gafreecell.figures import lineage_data, plot_lineage
from gafreecell.figures.lineage import UNKNOWN
from gafreecell.runs.individuals import BIRTHS, INDIVIDUALS

GENES = ["near", "middle", "far"]
BREEDING: dict[str, Any] = {
    "solvers": {"reproduction": 0.2, "crossover": 0.4, "mutation": 0.4, "elite": 2},
    "scheme": "resampled",
    "fitness": {"measure": "relative"},
}


def kept(folder: Path, **changes: Any) -> gafreecell.Run:
    return gafreecell.evolve(job_table(individuals=True, **changes), folder, ONE)


@pytest.mark.usefixtures("toy")
def test_the_record_holds_what_was_measured_and_changes_nothing(tmp_path: Path) -> None:
    run = kept(tmp_path / "kept")
    plain = gafreecell.evolve(job_table(), tmp_path / "plain", ONE)
    assert log_of(run.folder) == log_of(plain.folder)
    assert state_of(run.folder) == state_of(plain.folder)
    assert not list(plain.folder.glob("*.csv"))
    table = run.individuals()
    assert table.index.tolist() == [(g, s) for g in range(1, 7) for s in range(8)]
    for line in run.lines:
        rows = table.loc[line["generation"]]
        assert rows["fitness"].max() == line["solvers"]["best"]
        assert rows["fitness"].mean() == pytest.approx(line["solvers"]["mean"])
        for column in ("evaluations", "solved", "nodes"):
            assert rows[column].sum() == line[column]
        assert line["best_weights"] in rows[GENES].to_numpy().tolist()
        for _, row in rows.iterrows():
            deals = [int(deal) for deal in row["deals"].split()]
            assert len(deals) == row["evaluations"]
            assert sum(nodes_needed(deal, row[GENES].tolist()) for deal in deals) == row["nodes"]


@pytest.mark.usefixtures("toy")
def test_births_say_where_every_gene_comes_from(tmp_path: Path) -> None:
    table = kept(tmp_path / "kept", generations=20, **BREEDING).individuals()
    met: dict[str, int] = {}
    for (generation, place), row in table.iterrows():
        if generation == 1:
            # Nobody bore the first.
            assert row["operator"] != row["operator"]
            continue
        parents = [table.loc[(generation - 1, int(at)), GENES] for at in row["parents"].split()]
        genes, operator = row[GENES], row["operator"]
        met[operator] = met.get(operator, 0) + 1
        if operator in ("elite", "reproduction"):
            (parent,) = parents
            assert genes.tolist() == parent.tolist()
            if operator == "elite":
                assert place < 2
                fitness = table.loc[generation - 1, "fitness"].sort_values(ascending=False)
                assert table.loc[(generation - 1, int(row["parents"])), "fitness"] in [*fitness[:2]]
        elif operator == "crossover":
            first, second = parents
            cuts = [
                [*a[:cut], *b[cut:]]
                for cut in (1, 2)
                for a, b in ((first.tolist(), second.tolist()), (second.tolist(), first.tolist()))
            ]
            assert genes.tolist() in cuts
        else:
            (parent,) = parents
            assert operator == "mutation"
            assert (genes == parent).any() or (genes != parent).all()
    assert met["elite"] == 2 * 19
    assert all(met[name] > 10 for name in ("reproduction", "crossover", "mutation"))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("trainer", "operators"),
    [
        ("random", {"sampling"}),
        ("cma-es", {"sampling"}),
        ("nsga-ii", {"survival", "crossover", "mutation"}),
    ],
)
def test_other_trainers_tell_births_too(trainer: str, operators: set[str], tmp_path: Path) -> None:
    fitness = {"measure": "log-nodes"}
    run = kept(tmp_path / "r", trainer=trainer, scheme="resampled", fitness=fitness)
    table = run.individuals()
    assert {*table["operator"].dropna()} == operators
    survivors = table[table["operator"] == "survival"]
    for (generation, _), row in survivors.iterrows():
        parent = table.loc[(generation - 1, int(row["parents"])), GENES]
        assert row[GENES].tolist() == parent.tolist()


@pytest.mark.usefixtures("toy")
def test_a_generation_that_is_run_again_stands_there_once(tmp_path: Path) -> None:
    run = kept(tmp_path / "whole")
    other = kept(tmp_path / "other", generations=3)
    # As a kill leaves it: a generation beyond the state, and half a line.
    for name in (INDIVIDUALS, BIRTHS):
        lines = (run.folder / name).read_text().splitlines(keepends=True)
        path = other.folder / name
        assert path.read_text() == "".join(lines[: len(path.read_text().splitlines())])
        path.write_text("".join(lines[: 1 + 5 * 8]) + lines[1 + 5 * 8][:4])
    gafreecell.resume(other.folder, 6, ONE)
    same(run.folder, other.folder)


@pytest.mark.usefixtures("toy")
def test_a_record_can_begin_later(tmp_path: Path) -> None:
    run = gafreecell.evolve(job_table(generations=3), tmp_path / "r", ONE)
    with pytest.raises(BadInput, match="keeps no record of individuals: set individuals = true"):
        run.individuals()
    job = run.folder / "job.toml"
    job.write_text(job.read_text().replace("individuals = false", "individuals = true"))
    later = gafreecell.resume(run.folder, 9, ONE)
    assert {generation for generation, _ in later.individuals().index} == {*range(4, 10)}
    # Its lineage goes back to where the record begins.
    assert later.best.generation > 4
    data = lineage_data(later)
    first = [one for one in data.operators if one[0] == 4]
    assert first and {data.operators[one] for one in first} == {UNKNOWN}
    assert min(one[0] for one in data.operators) == 4
    plot_lineage(later)


@pytest.mark.usefixtures("toy")
def test_lineages_have_operators_of_ones_own_and_gaps(tmp_path: Path) -> None:
    run = kept(tmp_path / "kept", generations=12, **BREEDING)
    births = run.folder / "births.csv"
    births.write_text(births.read_text().replace("crossover", "splice"))
    assert "splice" in lineage_data(run).operators.values()
    names = [text.get_text() for text in plot_lineage(run).get_legend().get_texts()]
    assert "splice" in names and names[-1] == "the champion"
    table = run.folder / "individuals.csv"
    rows = table.read_text().splitlines(keepends=True)
    table.write_text("".join(row for row in rows if not row.startswith("2,")))
    assert min(one[0] for one in lineage_data(run).operators) == 3


@pytest.mark.usefixtures("toy")
def test_a_lineage_goes_back_to_the_first(tmp_path: Path, command: Command) -> None:
    run = kept(tmp_path / "kept", generations=12, **BREEDING)
    data = lineage_data(run)
    table = run.individuals()
    assert data.champion[0] == run.best.generation and data.exact
    assert table.loc[data.champion, GENES].tolist() == list(run.best.weights)
    assert {*data.fitness} == {*data.operators} == {*data.parents}
    for one, parents in data.parents.items():
        assert data.fitness[one] == table.loc[one, "fitness"]
        told = table.loc[one, "parents"]
        assert " ".join(str(p[1]) for p in parents) == (told if one[0] > 1 else "")
        assert all(parent in data.parents for parent in parents)
    first = [one for one in data.parents if one[0] == 1]
    assert first and {data.operators[one] for one in first} == {"sampling"}
    axes = plot_lineage(run)
    assert len(axes.collections[0].get_segments()) >= 1
    assert command("plot", run.folder, "--kind", "lineage", "-o", tmp_path / "l.png").status == 0
    plain = gafreecell.evolve(job_table(generations=2), tmp_path / "plain", ONE)
    refused(
        command("plot", plain.folder, "--kind", "lineage", "-o", tmp_path / "l.svg"),
        "keeps no record of births",
    )
    centre = kept(tmp_path / "c", trainer="cma-es", scheme="resampled")
    assert not lineage_data(centre).exact


def test_numbers_are_kept_to_the_last_bit(toy: Any, tmp_path: Path) -> None:
    seen: list[list[Result]] = []
    from gafreecell.evolution.loop import Evolution

    step = Evolution.step

    def watched(self: Any, state: Any) -> Any:
        done = step(self, state)
        seen.append(list(self.results))
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Evolution, "step", watched)
        run = kept(tmp_path / "kept")
    table = run.individuals()
    for generation, results in enumerate(seen, start=1):
        rows = table.loc[generation]
        assert np.array_equal(rows[GENES], [one.solver for one in results])
        assert np.array_equal(rows["fitness"], [one.fitness for one in results])
