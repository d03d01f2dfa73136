"""Configuration of Sphinx: one build, no network, every warning an error (with ``-W``)."""

import os
import sys
from pathlib import Path

import matplotlib

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]
# For the small data of the examples, threads cost more than they give.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
matplotlib.use("agg")

import sklearn_clustcompare  # noqa: E402

project = "sklearn_clustcompare"
author = "The sklearn_clustcompare developers"
copyright = f"2026, {author}"  # noqa: A001 the name is Sphinx's
version = release = sklearn_clustcompare.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx.ext.viewcode",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "public_objects",
    "signatures",
    "other_packages",
    "registry_tables",
    "decision_tree",
    "disagreements",
    "formulas",
    "clusterer_matrix",
    "gallery_style",
    "mathml",
    "source_pages",
]
# sphinx-gallery writes a page of times that would fetch scripts from elsewhere.
exclude_patterns = [
    "_build",
    "README.rst",
    "examples",
    "generated/backreferences",
    "sg_execution_times.rst",
]
templates_path = ["_templates"]
default_role = "literal"
nitpicky = True
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}

autosummary_generate = True
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False
viewcode_line_numbers = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = f"sklearn_clustcompare {version}"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_show_sourcelink = False
html_favicon = "_static/favicon.svg"
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {
        "text": "sklearn_clustcompare",
        "image_light": "_static/favicon.svg",
        "image_dark": "_static/favicon.svg",
    },
    "navigation_with_keys": False,
    "navbar_persistent": ["search-button"],
    "show_toc_level": 2,
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {
    "getting_started": [],
    "migration": [],
    "glossary": [],
    "references": [],
    "design": [],
    "whats_new": [],
}


sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_.*\.py$",
    "subsection_order": [
        f"examples/{section}"
        for section in ("basics", "chance", "soft", "many", "structure", "lecture")
    ],
    "within_subsection_order": "FileNameSortKey",
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("sklearn_clustcompare",),
    "reference_url": {"sklearn_clustcompare": None},
    "inspect_global_variables": False,
    "remove_config_comments": True,
    "image_scrapers": ("gallery_style.described_pictures",),
    "reset_modules": ("matplotlib", "gallery_style.reset_pictures"),
    "abort_on_example_error": True,
    "show_signature": False,
    "show_memory": False,
    "write_computation_times": False,
    "download_all_examples": False,
    "plot_gallery": True,
}
