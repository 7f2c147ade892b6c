"""How Sphinx builds the site from what scripts/make-site has staged."""
project = "Belay"
copyright = "the Belay authors; Apache License 2.0 with LLVM Exceptions"
extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "Belay"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
# Quotes are those of the source: most of them stand around code.
smartquotes = False
# Headings are link targets under the names that forges give them.
myst_heading_anchors = 4
myst_linkify_fuzzy_links = False
# A page may begin below the first level, as generated ones do.
suppress_warnings = ["myst.header"]
# What is no code of a language that Pygments knows is shown as it is.
highlight_language = "text"


def shorten_contents(app, env):
    """Headings below the third level are in no table of contents.

    Sphinx copies all of them for each page, and the dialect has hundreds."""
    from docutils import nodes

    for contents in env.tocs.values():
        for deep in [each for each in contents.findall(nodes.bullet_list) if depth(each) > 3]:
            deep.parent.remove(deep)
    return []


def depth(node):
    from docutils import nodes

    return 0 if node is None else isinstance(node, nodes.bullet_list) + depth(node.parent)


def setup(app):
    """MLIR has no lexer in Pygments."""
    from pygments.lexers.special import TextLexer

    app.add_lexer("mlir", TextLexer)
    app.connect("env-updated", shorten_contents)
