"""Settings of the documentation site, which `make docs` builds with Sphinx.

The source folder is the repository, so that the links between README, pages and files work on a forge and on the site.
"""

import runpy
from importlib import metadata
from pathlib import Path

from sphinx.application import Sphinx

project = "Spellout"
release = metadata.version("spellout")

root_doc = "docs/index"
include_patterns = ["docs/**", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
exclude_patterns = [".*", "build", "runs", "scratch"]
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_argparse_cli", "sphinx_copybutton"]

myst_heading_anchors = 4  # as on a forge
nb_execution_mode = "off"  # the site shows the committed outputs; tests/test_notebook.py executes the notebook
default_role = "code"  # docstrings mark code by single backquotes, as Markdown does
smartquotes = False
highlight_language = "none"  # of blocks that name no language
autodoc_class_signature = "mixed"
napoleon_custom_sections = [("Attributes", "params_style")]  # a list; types are in the signature
python_maximum_signature_line_length = 100
copybutton_prompt_text = "$ "

html_theme = "furo"
pygments_dark_style = "a11y-high-contrast-dark"
html_title = f"Spellout {release}"
html_copy_source = False
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_extra_path = ["site/root"]


def write_generated_pages(app: Sphinx) -> None:
    """Write the page that is not committed: the catalogue of the interventions."""
    if (Path(app.srcdir) / "rewrite").is_dir():
        page = runpy.run_path(str(Path(app.srcdir) / "bench" / "interventions.py"))["page"]
        (Path(app.srcdir) / "docs" / "interventions.md").write_text(page(), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect what runs before the pages are read."""
    app.connect("builder-inited", write_generated_pages)
