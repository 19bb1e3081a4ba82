/** Generators of documentation: where pages by them are to be had, and what they mark as the content. */

export interface Manual {
  /** With its theme, where it has several. */
  readonly generator: string;
  /** Debian packages (of version 12). */
  readonly packages: readonly string[];
  /** Where they put the pages, below the root. */
  readonly folders: readonly string[];
  /** Selectors of the content; of nested matches the outermost count. */
  readonly main: string;
  /** Selectors of what is in it but is not part of it. */
  readonly without?: string;
}

const sphinx = {
  main: "[role=main], div.body",
  without: ".headerlink, .related, .sphinxsidebar, nav, .prev-next-area",
};
const docbook = {
  main: "div.book, div.article, div.part, div.chapter, div.appendix, div.preface, div.refentry, div.section, div.sect1, div.sect2, div.glossary, div.bibliography, div.reference",
  without: ".navheader, .navfooter, .toc, .spirit-nav, .top_logo",
};
const texinfo = { main: "body", without: "div.header, div.nav-panel" };
const javadoc = { main: "main, div.contentContainer, div.header h1, div.header h2", without: "nav, .skip-nav" };

export const manuals: readonly Manual[] = [
  { generator: "sphinx-classic", packages: ["python3-doc"], folders: ["doc/python3.11/html"], ...sphinx },
  { generator: "sphinx-plain", packages: ["ganeti-doc"], folders: ["doc/ganeti/html"], ...sphinx },
  { generator: "sphinx-cmake", packages: ["cmake-doc"], folders: ["cmake-data", "doc/cmake-data/html"], ...sphinx },
  {
    generator: "sphinx-django",
    packages: ["python-django-doc"],
    folders: ["doc/python-django-doc/html"],
    ...sphinx,
    main: "#bd .yui-b",
  },
  {
    generator: "sphinx-rtd",
    packages: ["linux-doc", "bind9-doc"],
    folders: ["doc/linux-doc-6.1/html", "doc/bind9-doc/arm"],
    ...sphinx,
  },
  {
    generator: "sphinx-pydata",
    packages: ["python-pandas-doc", "python-scipy-doc"],
    folders: ["doc/python-pandas-doc/html", "doc/python-scipy-doc/html"],
    ...sphinx,
    main: "[role=main]",
  },
  {
    generator: "sphinx-alabaster",
    packages: ["python-flask-doc", "python-jinja2-doc", "knot-doc"],
    folders: ["doc/python-flask-doc/html", "doc/python-jinja2-doc/html", "doc/knot-doc"],
    ...sphinx,
  },
  {
    generator: "docbook-postgresql",
    packages: ["postgresql-doc-15"],
    folders: ["doc/postgresql-doc-15/html"],
    ...docbook,
  },
  {
    generator: "docbook-boost",
    packages: ["libboost1.74-doc"],
    folders: ["doc/libboost1.74-doc/doc/html"],
    ...docbook,
  },
  { generator: "docbook-gimp", packages: ["gimp-help-en"], folders: ["gimp/2.0/help/en"], ...docbook },
  { generator: "docbook-gnucash", packages: ["gnucash-docs"], folders: ["doc/gnucash-docs"], ...docbook },
  {
    generator: "docbook-plain",
    packages: ["valgrind", "xorg-docs", "debian-reference-en"],
    folders: ["doc/valgrind/html", "doc/xorg-docs", "doc/debian-reference"],
    ...docbook,
  },
  { generator: "publican", packages: ["debian-handbook"], folders: ["doc/debian-handbook/html"], ...docbook },
  { generator: "gtk-doc", packages: ["libgtk-3-doc"], folders: ["gtk-doc/html/gtk3", "gtk-doc/html/gdk3"], ...docbook },
  {
    generator: "gi-docgen",
    packages: ["libgtk-4-doc"],
    folders: ["doc/libgtk-4-doc"],
    main: "section.content, section#main",
    without: ".anchor, .docblock-source",
  },
  { generator: "texinfo", packages: ["octave-doc"], folders: ["doc/octave/octave.html"], ...texinfo },
  {
    generator: "texinfo-plain",
    packages: ["maxima-doc", "sbcl-doc"],
    folders: ["doc/maxima-doc", "doc/sbcl"],
    ...texinfo,
  },
  {
    generator: "latex2html",
    packages: ["gnuplot-doc"],
    folders: ["doc/gnuplot/htmldocs"],
    main: "body",
    without: ".navigation, address",
  },
  {
    generator: "swi-prolog",
    packages: ["swi-prolog-doc"],
    folders: ["swi-prolog/doc/Manual"],
    main: "body",
    without: ".navigate",
  },
  {
    generator: "asciidoc",
    packages: ["git-doc"],
    folders: ["doc/git-doc"],
    main: "#header h1, #content",
    without: "#toc",
  },
  {
    generator: "asciidoctor",
    packages: ["kicad-doc-en", "ntpsec-doc"],
    folders: ["doc/kicad/help/en", "doc/ntpsec-doc"],
    main: "#header h1, #content",
    without: "#toc",
  },
  {
    generator: "rustdoc",
    packages: ["rust-doc"],
    folders: ["doc/rust-doc/html/std", "doc/rust-doc/html/core"],
    main: "#main-content",
    without: "#copy-path, .src, .srclink, .rightside, .out-of-band, .hideme",
  },
  {
    generator: "mdbook",
    packages: ["rust-doc"],
    folders: ["doc/rust-doc/html/book", "doc/rust-doc/html/reference", "doc/rust-doc/html/cargo"],
    main: "main",
  },
  { generator: "javadoc-17", packages: ["openjdk-17-doc"], folders: ["doc/openjdk-17-jre-headless/api"], ...javadoc },
  {
    generator: "javadoc",
    packages: ["openmpi-doc", "ant-doc"],
    folders: ["doc/openmpi-doc/javadoc-openmpi", "doc/ant/api"],
    ...javadoc,
  },
  {
    generator: "haddock",
    packages: ["ghc-doc"],
    folders: ["doc/ghc-doc/html/libraries"],
    main: "#content",
    without: "#table-of-contents, .link, .selflink",
  },
  {
    generator: "doxygen",
    packages: ["doxygen-doc", "apophenia-doc"],
    folders: ["doc/doxygen/html", "doc/apophenia-doc/html"],
    main: "div.title, div.contents",
  },
  {
    generator: "scaladoc",
    packages: ["scala-doc"],
    folders: ["doc/scala-2.11/api", "doc/scala-2.11"],
    main: "#definition, #template, #content-container",
    without: "#filter, #mbrsel, #search, #toc",
  },
  {
    generator: "scribble",
    packages: ["racket-doc"],
    folders: ["doc/racket"],
    main: "div.main",
    without: ".navsettop, .navsetbottom, .navset",
  },
  {
    generator: "erl_docgen",
    packages: ["erlang-doc"],
    folders: ["doc/erlang-doc"],
    main: "#content",
    without: ".footer",
  },
  {
    generator: "qdoc",
    packages: ["qtbase5-doc-html"],
    folders: ["qt5/doc"],
    main: "div.mainContent",
    without: ".sidebar",
  },
  {
    generator: "apache-httpd",
    packages: ["apache2-doc"],
    folders: ["doc/apache2-doc/manual"],
    main: "#page-content, #main-content",
    without: "#quickview, .top, .toplang, .bottomlang, #comments_section",
  },
  {
    generator: "nodejs",
    packages: ["nodejs-doc"],
    folders: ["doc/nodejs/api"],
    main: "#apicontent, header h1",
    without: ".mark, .srclink",
  },
  {
    generator: "libreoffice-help",
    packages: ["libreoffice-help-en-us"],
    folders: ["libreoffice/help/en-US/text"],
    main: "#DisplayArea",
    without: "#DEBUG, .debug",
  },
  { generator: "exim", packages: ["exim4-doc-html"], folders: ["doc/exim4-doc-html/spec_html"], main: "#content" },
  { generator: "libvirt", packages: ["libvirt-doc"], folders: ["doc/libvirt-doc/html"], main: "main, #content" },
  {
    generator: "slurm",
    packages: ["slurm-wlm-doc"],
    folders: ["doc/slurm-wlm/html"],
    main: "div.content",
    without: ".slurm-search",
  },
];
