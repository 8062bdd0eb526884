"""``demo`` and ``examples``."""

from __future__ import annotations

import io
import shlex
import shutil
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path

from deals.words import plural
from gafreecell.cli.main import run
from gafreecell.cli.statuses import DONE
from gafreecell.cli.telling import folded
from gafreecell.evolution.job_reading import load_job
from gafreecell.installed import shipped
from gafreecell.runs.environment import ENVIRONMENT
from gafreecell.runs.folder import BEST, JOB, LOCK, LOG, STATE, VALIDATED, locked
from gafreecell.runs.run import folder_of
from gafreecell.service.inputs import InputError
from gafreecell.workers.unfinished import FILE as UNFINISHED

COMPARED = "hsdh-same-search --deals 50001-50400"
"""The baseline, on deals that the demo's job neither trains nor validates on."""

ALL_CORES = -1
DRAWN = ("report.html", "progress.png", "fitness.png", "weights.png", "cactus.png")
MADE = {
    *(ENVIRONMENT, JOB, STATE, LOG, VALIDATED, LOCK, Path(BEST).parts[0], UNFINISHED),
    *(*DRAWN, "weights.json", "evaluation.csv", "evaluation.md"),
}
"""What a demo leaves in its folder."""


def demo(given: Namespace) -> int:
    """Evolve weights, draw the run, export them, compare them with the baseline, and report."""
    job = shipped.FOLDER / "runs" / "demo.toml"
    _remove_earlier(folder_of(given.out), job)
    for command in commands(str(_shown(job)), given.out):
        words = shlex.split(command)
        if given.jobs != ALL_CORES and words[0] not in ("export", "solve"):
            words += ["--jobs", str(given.jobs)]
        words += ["--no-progress"] * given.no_progress
        print(f"$ {shlex.join(['gafreecell', *words])}", flush=True)
        with redirect_stdout(io.StringIO()) as printed:
            status = run(words)
        if words[0] in ("evaluate", "solve"):
            print(f"\n{printed.getvalue()}")
        if words[0] == "evaluate":
            (Path(given.out) / "evaluation.md").write_text(printed.getvalue(), encoding="utf-8")
        if status != DONE:
            return status
    said = (
        f"Open {Path(given.out) / 'report.html'} in a browser first. It says what evolved and how, "
        "and shows the evolved weights on deals they never trained on, beside published "
        "heuristics. The table above compares them with HSDH on other deals."
    )
    print(folded(said))
    out, longer = shlex.quote(given.out), 2 * load_job(job, {}).generations
    print("\nWhat you can do next:")
    for command, what in {
        f"solve 617 --weights {out}/weights.json --html 617.html": "watch them solve a deal",
        f"resume {out} --generations {longer}": "evolve further",
        "serve": "see runs, and solve deals, in a browser",
        "examples": "copy jobs, to change them",
    }.items():
        print(f"  gafreecell {command}\n      {what}")
    return DONE


def commands(job: str, folder: str) -> list[str]:
    """The commands of the demo, without the program's name.

    Args:
        job: the path of its job.
        folder: its run folder.
    """
    job, out = shlex.quote(job), shlex.quote(folder)
    return [
        f"evolve {job} --out {out}",
        f"plot {out} -o {out}/progress.png",
        f"plot {out} --kind fitness -o {out}/fitness.png",
        f"plot {out} --kind weights -o {out}/weights.png",
        f"export {out} -o {out}/weights.json",
        f"evaluate {out}/weights.json {COMPARED} --nodes 100000 -o {out}/evaluation.csv",
        f"plot {out}/weights.json {COMPARED} --kind cactus -o {out}/cactus.png",
        f"solve 164 --weights {out}/weights.json",
        f"report {out} -o {out}/report.html",
    ]


def _remove_earlier(folder: Path, job: Path) -> None:
    """Remove the folder of an earlier demo, but nothing else that stands there.

    Args:
        folder: the run folder.
        job: the path of the demo's job. A run of any other job stays, even if it has the same name.

    Raises:
        InputError: if it holds something else.
        RunError: if that demo is still running.
    """
    if not folder.exists():
        return
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if not (folder / JOB).is_file() or load_job(folder / JOB, {}) != load_job(job, {}):
        raise InputError(
            f"{folder} exists and is no earlier demo, so it is left as it is: name another folder "
            "with --out, or remove it"
        )
    with locked(folder):
        others = sorted(path.name for path in folder.iterdir() if path.name not in MADE)
        if others:
            raise InputError(
                f"{folder} has files that no demo made, such as {others[0]}, so it is left as it "
                "is: name another folder with --out, or move them"
            )
        shutil.rmtree(folder)


def _shown(path: Path) -> Path:
    """The path from the current folder, where it lies below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def examples(given: Namespace) -> int:
    """Copy job files, reference runs and example packages to a folder."""
    target = Path(given.folder)
    names = shipped.files()
    different = [
        name
        for name in names
        if (target / name).exists()
        and (target / name).read_bytes() != (shipped.FOLDER / name).read_bytes()
    ]
    if different:
        others = f" and {len(different) - 1} more" * (len(different) > 1)
        raise InputError(
            f"{target / different[0]}{others} would change, so nothing is copied: name another "
            "folder, or remove it"
        )
    new = [name for name in names if not (target / name).exists()]
    for name in new:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(shipped.FOLDER / name, target / name)
    where = " and ".join(str(target / name) for name in shipped.NAMES)
    print(f"{plural(len(new), 'file')} copied to {where}" if new else f"{where} are complete")
    return DONE
