// How sites announce other pages, as the beginnings of regular expressions.

/**
 * What newspapers write before such a reference, by language. "See also" is left out: it names a part of an
 * encyclopedia's text.
 */
export const RELATED_ARTICLES: readonly string[] = [
  // English
  "related(?: (?:articles?|stor(?:y|ies)|posts?|content|reading|coverage|links?|topics?|news|videos?))?",
  "(?:also )?read(?: more| also| next| this)?(?: (?:on|about) this(?: stor(?:y|ies)| topic| subject)?)?|more (?:on|about) this(?: story| topic| subject)?|keep reading|must read|more like this",
  "(?:you )?(?:may|might) also (?:like|enjoy|be interested in)|you (?:may|might) like|more (?:stories|articles|posts)",
  "recommended(?: (?:reading|articles|stories|for you))?|trending(?: now)?|(?:most|latest) (?:read|popular|news|stories|posts)",
  // German
  "auch interessant|das könnte (?:sie|dich|euch|ihnen|dir) auch (?:interessieren|gefallen)|weiterlesen|schon gelesen",
  "(?:lesen sie|lies|lest)(?: (?:auch|hier|dazu|hierzu|mehr))*|mehr (?:zum thema|dazu|artikel)|zum (?:weiterlesen|thema)",
  "passend dazu|(?:weitere|ähnliche|verwandte|neueste) (?:artikel|beiträge|themen|nachrichten|meldungen)",
  // French
  "[àa] (?:lire|voir)(?: aussi| également)?|(?:lire|voir) (?:aussi|également|la suite)|vous aimerez aussi",
  "sur le même (?:sujet|thème)|articles? (?:liés?|similaires?|associés?|connexes?)",
  // Spanish, Portuguese, Italian
  "(?:lea|lee|leer|vea|ver|mira|mire) (?:también|además|más)|(?:también )?te puede interesar|más noticias",
  "(?:leia|veja|confira|saiba) (?:também|mais|ainda)|você (?:também )?pode gostar",
  "(?:(?:noticias|notícias|artículos|artigos|matérias|posts|contenidos?|conteúdos?) )?relacionad[oa]s?",
  "legg[ie] anche|(?:ti )?potrebbe(?:ro)? (?:anche )?(?:interessarti|piacerti|interessare)(?: anche)?|articoli correlati",
  // Dutch and the languages of the north
  "lees (?:ook|meer|verder)|gerelateerde?(?: artikelen| berichten)?|meer over dit onderwerp",
  "läs (?:också|mer|även)|les (?:også|mer)|læs (?:også|mere)|lue (?:myös|lisää)|relatera(?:de|t)(?: artik(?:lar|ler))?",
  // Polish, Czech, Slovak, Hungarian, Romanian
  "(?:czytaj|zobacz|przeczytaj)(?: (?:też|także|również|więcej|koniecznie))|polecamy|powiązane(?: artykuły| tematy)?",
  "(?:čtěte|čítajte|přečtěte si|prečítajte si)(?: (?:také|též|více|i|aj|tiež|viac))*|mohlo by vás zaj[ií]mat|souvisejíc[ií](?: články)?",
  "kapcsolódó(?: cikkek| cikkeink)?|olvass(?:a|d) el ezt is|cite[șşs]te (?:și|şi|si|mai mult)|vezi (?:și|şi|si)",
  // Russian, Ukrainian, Bulgarian, Greek, Turkish
  "читайте (?:также|ещё|еще|на эту тему)|смотрите также|(?:ещё |еще |новости |материалы )?по теме|вам может быть интересно",
  "похожие (?:статьи|новости|записи|материалы)|читайте (?:також|теж)|дивіться також|прочетете (?:още|и)|(?:още )?по темата",
  "διαβάστε (?:επίσης|ακόμη|ακόμα|και|περισσότερα)|δείτε (?:επίσης|ακόμη|ακόμα|και)|σχετικά(?: άρθρα| θέματα)?",
  "(?:bunlar da |bu haber de )?ilginizi çekebilir|(?:benzer|ilgili) (?:haberler|yazılar|konular)",
  // Indonesian, Vietnamese, Thai, Hindi
  "baca (?:juga|selengkapnya)|lihat juga|artikel terkait|xem thêm|đọc thêm|(?:bài viết|tin) liên quan",
  "อ่านเพิ่มเติม|(?:บทความ|ข่าว)ที่เกี่ยวข้อง|(?:यह|ये) भी पढ़ें|संबंधित (?:खबरें|लेख)",
  // Chinese, Japanese, Korean
  "相[关關](?:阅读|閱讀|文章|新闻|新聞|报道|報導|推荐|推薦|链接)|延伸(?:阅读|閱讀)|推[荐薦](?:阅读|閱讀)|更多(?:阅读|新闻|文章)|猜你喜[欢歡]",
  "関連(?:記事|リンク|ニュース)|おすすめ記事|あわせて読みたい|人気記事|관련\\s?(?:기사|글|뉴스)|함께 보면 좋은 글",
  // Arabic, Persian, Hebrew
  "اقرأ (?:أيضا|أيضًا|أيضاً|المزيد)|شاهد أيضا|(?:مواضيع|مقالات|أخبار|موضوعات) (?:ذات صلة|متعلقة|مشابهة)|بیشتر بخوانید|مطالب مرتبط|קראו (?:גם|עוד)|כתבות (?:קשורות|נוספות)",
];

/** How shops name other products below one. */
export const RELATED_PRODUCTS: readonly string[] = [
  "(?:(?:related|similar|recommended|other|more|popular|sponsored) ){1,2}(?:products|items)(?: (?:to|for|from|in|you) .{1,25})?",
  "(?:products|items) (?:related|similar) to this(?: item| product)?|more from (?:this|the same|our) .{1,15}|shop (?:similar|the look)",
  "(?:customers|people|others)(?: who .{1,30})? also (?:bought|viewed|liked?|purchased)|(?:pairs|goes) (?:well|great|best) with.{0,10}",
  "frequently bought together|recently viewed(?: products| items)?|you recently viewed|complete the look",
  "(?:ähnliche|passende|verwandte|weitere) (?:produkte|artikel)|kunden (?:kauften|kaufen|sahen) auch|zuletzt angesehen(?:e produkte)?",
  "produits (?:similaires|associés|apparentés|connexes|complémentaires)|vous (?:pourriez|aimerez) (?:peut-être )?aussi(?: aimer)?",
  "produ(?:ctos|tos) (?:relacionados|similares)|prodotti (?:correlati|simili)|(?:gerelateerde|vergelijkbare) producten",
  "(?:relaterade|liknande|relaterte|relaterede) produkter|(?:podobne|powiązane|polecane) produkty|produkty (?:podobne|powiązane)",
  "(?:související|podobné) (?:produkty|zboží)|похожие товары|с этим товаром (?:часто )?покупают|(?:benzer|ilgili) ürünler",
  "関連商品|相[关關](?:产品|產品|商品)|관련\\s?상품",
];
