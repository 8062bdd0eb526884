# The names of the package, one a line: offered.py of deals imports them on first use.

from deals.errors import BadInput as BadInput
from gafreecell import figures as figures  # a module
from gafreecell import testing as testing  # a module
from gafreecell.comparing.fronts import FrontComparison as FrontComparison
from gafreecell.comparing.fronts import compare_fronts as compare_fronts
from gafreecell.comparing.jobs import compare as compare
from gafreecell.comparing.run_comparison import RunComparison as RunComparison
from gafreecell.comparing.solver_comparison import SolverComparison as SolverComparison
from gafreecell.comparing.solvers import evaluate as evaluate
from gafreecell.evolution.driving import AskTell as AskTell
from gafreecell.evolution.driving import BlackBox as BlackBox
from gafreecell.evolution.generation import Encounter as Encounter
from gafreecell.evolution.generation import Learnt as Learnt
from gafreecell.evolution.generation import Moment as Moment
from gafreecell.evolution.generation import Purpose as Purpose
from gafreecell.evolution.generation import Result as Result
from gafreecell.evolution.job import Job as Job
from gafreecell.evolution.job_reading import read_job as read_job
from gafreecell.evolution.measures import Measure as Measure
from gafreecell.evolution.schemes import Scheme as Scheme
from gafreecell.evolution.trainers import Trainer as Trainer
from gafreecell.runs import callbacks as callbacks  # a module
from gafreecell.runs.plan import Plan as Plan
from gafreecell.runs.plan import read_plan as read_plan
from gafreecell.runs.portfolio import evolve_game as evolve_game
from gafreecell.runs.record import Run as Run
from gafreecell.runs.run import evolve as evolve
from gafreecell.runs.run import load as load
from gafreecell.runs.run import resume as resume
from gafreecell.runs.study import Study as Study
from gafreecell.runs.study import load_study as load_study
from gafreecell.runs.study import study as study
from gafreecell.service.interface import Verdict as Verdict
from gafreecell.service.interface import deal as deal
from gafreecell.service.interface import features as features
from gafreecell.service.interface import presets as presets
from gafreecell.service.interface import read_boards as read_boards
from gafreecell.service.interface import score as score
from gafreecell.service.interface import solve as solve
from gafreecell.service.interface import solve_many as solve_many
from gafreecell.service.interface import verify as verify
from gafreecell.service.least_cells import LeastCells as LeastCells
from gafreecell.service.least_cells import least_cells as least_cells
from gafreecell.solitaire import abilities as abilities  # a module
from gafreecell.solitaire.game import Game as Game
from gafreecell.solitaire.game import games as games
from gafreecell.solving.drawing import Drawing as Drawing
from gafreecell.solving.drawing import Pile as Pile
from gafreecell.solving.drawing import Row as Row
from gafreecell.solving.drawing import Shown as Shown
from gafreecell.solving.features import Feature as Feature
from gafreecell.solving.features import Scales as Scales
from gafreecell.solving.games import BaseGame as BaseGame
from gafreecell.solving.loading import Part as Part
from gafreecell.solving.outcome import Evaluator as Evaluator
from gafreecell.solving.outcome import Limits as Limits
from gafreecell.solving.outcome import Nodes as Nodes
from gafreecell.solving.outcome import Outcome as Outcome
from gafreecell.solving.outcome import Search as Search
from gafreecell.solving.outcome import Status as Status
from gafreecell.solving.outcome import Task as Task
from gafreecell.solving.parameters import Parameter as Parameter
from gafreecell.solving.rating import Rating as Rating
from gafreecell.solving.weights import Weights as Weights
from gafreecell.solving.weights import read_weights as read_weights
from gafreecell.workers.chosen import Workers as Workers

__version__: str
