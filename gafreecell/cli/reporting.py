"""``report``: a page about runs."""

from __future__ import annotations

from argparse import Namespace

from gafreecell.cli.evaluation import watch
from gafreecell.cli.pages import check_page_file, save_page
from gafreecell.cli.statuses import DONE
from gafreecell.comparing.jobs import run_at
from gafreecell.service.inputs import InputError, read_deals
from gafreecell.solitaire.game import Problem
from gafreecell.terminal.progress import followed


def report(given: Namespace) -> int:
    """Measure runs on deals that they never used, and write the page."""
    from gafreecell.pages.report import report, report_page

    runs = [run_at(name) for name in dict.fromkeys(given.runs)]
    deals: list[Problem] | None = None
    if given.deals:
        chosen = read_deals(given.deals, runs[0].job.load_game())
        if any(True for _ in chosen.boards()):
            raise InputError("report takes deal numbers, not boards")
        deals = [deal.board for deal in chosen]
    check_page_file(given.output)
    with followed(not given.no_progress, "progress") as on_progress:
        told = report(
            runs,
            deals,
            given.jobs,
            command=given.command_line,
            watch=watch(given),
            on_progress=on_progress,
        )
    save_page(given.output, report_page(told))
    return DONE
