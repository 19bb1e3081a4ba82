/** Phrases by which pages name their own furniture, in the languages with the most pages: data for features. */
import { countText, mixHash, STATISTIC_COUNT } from "./text-statistics.ts";

const phrases = {
  related:
    "related|related articles|related posts|related stories|related topics|related products|read also|also read|read more|see also|more from|more on|more stories|more news|you may also like|you might also like|you may like|recommended|recommended for you|recommendations|popular|most popular|most read|trending|latest news|latest posts|recent posts|top stories|up next|further reading|customers also|people also|featured|don't miss|editor's picks|in other news|" +
    "mehr zum thema|weitere artikel|weitere themen|auch interessant|das könnte sie auch interessieren|das könnte dich auch|lesen sie auch|lesen sie mehr|mehr dazu|zum weiterlesen|meistgelesen|neueste artikel|ähnliche artikel|ähnliche beiträge|ähnliche produkte|empfehlungen|empfohlen|schon gelesen|weiterlesen|mehr aus|aktuelle nachrichten|passend dazu|siehe auch|" +
    "à lire aussi|lire aussi|lire la suite|sur le même sujet|articles similaires|articles liés|les plus lus|voir aussi|en savoir plus|à découvrir|recommandé|" +
    "lea también|leer más|le puede interesar|te puede interesar|noticias relacionadas|artículos relacionados|lo más leído|lo más visto|más noticias|ver más|más información|" +
    "leggi anche|potrebbe interessarti|articoli correlati|i più letti|per saperne di più|leia também|leia mais|veja também|mais lidas|notícias relacionadas|saiba mais|" +
    "lees ook|lees meer|meer nieuws|gerelateerde|meest gelezen|läs också|läs mer|mest läst|les også|læs også|" +
    "czytaj także|czytaj też|czytaj więcej|czytaj również|zobacz także|zobacz też|zobacz również|polecamy|polecane|najczęściej czytane|podobne artykuły|więcej na temat|najnowsze|powiązane|" +
    "читайте также|читать далее|подробнее|по теме|материалы по теме|другие новости|новости по теме|похожие|рекомендуем|популярное|самое читаемое|смотрите также|ещё по теме|главные новости|последние новости|" +
    "διαβάστε επίσης|διαβάστε ακόμα|δείτε επίσης|σχετικά άρθρα|σχετικά θέματα|περισσότερα|δημοφιλή|τελευταία νέα|" +
    "相关新闻|相关阅读|相关文章|相关链接|推荐阅读|热门|更多|延伸阅读|相关报道|热点|最新|推荐|猜你喜欢|关连|おすすめ|関連記事|人気記事|続きを読む|관련기사|추천|ilgili haberler|daha fazla|čtěte také|související|související články|kapcsolódó|citește și",
  comments:
    "comments|comment|leave a comment|leave a reply|post a comment|add a comment|join the conversation|join the discussion|no comments|view comments|show comments|write a comment|responses to|reply|replies|log in to reply|be the first to comment|" +
    "kommentare|kommentar|kommentieren|kommentar schreiben|kommentar verfassen|keine kommentare|schreiben sie einen kommentar|antworten|diskutieren|ihr kommentar|" +
    "commentaires|commentaire|laisser un commentaire|réagir|répondre|comentarios|comentario|deja un comentario|deja una respuesta|responder|commenti|lascia un commento|comentários|deixe um comentário|deixe uma resposta|reacties|reageer|geef een reactie|kommentera|kommentarer|" +
    "komentarze|komentarz|dodaj komentarz|skomentuj|odpowiedz|opinie|комментарии|комментировать|комментариев|оставить комментарий|добавить комментарий|ответить|обсудить|обсуждение|σχόλια|σχόλιο|προσθήκη σχολίου|γράψτε το σχόλιό|σχολιάστε|评论|发表评论|网友评论|留言|我要评论|跟帖|コメント|댓글|yorumlar|komentáře",
  share:
    "share|share this|share on|tweet|pin it|email this|copy link|print|print this|save|follow us|facebook|twitter|linkedin|whatsapp|pinterest|telegram|reddit|" +
    "teilen|drucken|merken|folgen sie uns|empfehlen|artikel teilen|partager|imprimer|envoyer|suivez nous|compartir|imprimir|síguenos|condividi|stampa|seguici|compartilhar|partilhar|siga nos|delen|printen|volg ons|dela|skriv ut|del|" +
    "udostępnij|drukuj|poleć|wyślij|поделиться|распечатать|печать|подписывайтесь|версия для печати|κοινοποίηση|εκτύπωση|μοιραστείτε|分享|打印|分享到|转发|收藏|シェア|공유|paylaş|sdílet",
  subscribe:
    "subscribe|newsletter|sign up|sign up for|get the latest|join our|mailing list|your email|email address|enter your email|subscribe now|become a member|start your free trial|support us|donate|download the app|" +
    "abonnieren|abo|jetzt abonnieren|jetzt anmelden|newsletter abonnieren|e paper|jetzt registrieren|jetzt testen|mitglied werden|spenden|s'abonner|abonnez vous|inscrivez vous|inscription|suscríbete|suscribirse|boletín|iscriviti|abbonati|assine|inscreva se|abonneer|nieuwsbrief|aanmelden|prenumerera|nyhetsbrev|" +
    "zapisz się|prenumerata|subskrybuj|подписаться|подписка|рассылка|подпишитесь|εγγραφή|ενημερωτικό|订阅|扫描|二维码|关注我们|下载客户端|登録|購読|구독|abone ol|odebírat",
  account:
    "log in|login|sign in|register|my account|create account|logout|forgot password|already a member|already have an account|username|password|" +
    "anmelden|registrieren|mein konto|passwort|benutzername|einloggen|connexion|se connecter|mon compte|mot de passe|créer un compte|iniciar sesión|registrarse|mi cuenta|contraseña|accedi|registrati|entrar|cadastre se|inloggen|registreren|logga in|" +
    "zaloguj|zaloguj się|zarejestruj się|hasło|войти|вход|регистрация|зарегистрироваться|пароль|личный кабинет|σύνδεση|είσοδος|κωδικός|登录|注册|用户名|密码|ログイン|로그인|giriş|přihlásit",
  copyright:
    "copyright|all rights reserved|terms of use|terms of service|terms and conditions|privacy policy|privacy|contact us|about us|sitemap|site map|accessibility|powered by|disclaimer|careers|advertise|imprint|" +
    "alle rechte vorbehalten|impressum|datenschutz|datenschutzerklärung|agb|kontakt|nutzungsbedingungen|über uns|tous droits réservés|mentions légales|politique de confidentialité|conditions générales|nous contacter|todos los derechos reservados|aviso legal|política de privacidad|contacto|tutti i diritti riservati|informativa|todos os direitos reservados|política de privacidade|alle rechten voorbehouden|privacyverklaring|" +
    "wszelkie prawa zastrzeżone|polityka prywatności|regulamin|redakcja|reklama|o nas|все права защищены|политика конфиденциальности|о проекте|контакты|реклама|редакция|правила|όροι χρήσης|επικοινωνία|πνευματικά δικαιώματα|διαφήμιση|版权所有|版权声明|免责声明|联系我们|关于我们|网站地图|备案|著作権|저작권|tüm hakları|kontakty",
  consent:
    "cookie|cookies|we use cookies|accept all|accept cookies|cookie settings|cookie policy|gdpr|manage preferences|consent|" +
    "wir verwenden cookies|cookies zulassen|einwilligung|einstellungen|zustimmen|akzeptieren|nous utilisons|accepter|utilizamos cookies|aceptar|utilizziamo|accetta|utilizamos|aceitar|wij gebruiken cookies|accepteren|ciasteczka|pliki cookie|akceptuję|файлы cookie|принять|αποδοχή",
  advert:
    "advertisement|advertising|sponsored|sponsored content|promoted|ad|ads|paid content|affiliate|continue reading below|story continues below|" +
    "anzeige|werbung|gesponsert|publicité|publicidad|anuncio|pubblicità|publicidade|advertentie|annons|reklama|artykuł sponsorowany|реклама|на правах рекламы|διαφήμιση|广告|推广|広告|광고|reklam",
  byline:
    "by|written by|posted by|posted on|published|updated|last updated|min read|minutes read|photo|photo by|image credit|image|getty images|source|credit|author|about the author|tags|filed under|categories|topics|" +
    "von|veröffentlicht|aktualisiert|foto|bild|quelle|autor|autorin|titelbild|stand|schlagworte|kategorie|themen|par|publié|publié le|mis à jour|crédit photo|source|mots clés|por|publicado|actualizado|fuente|etiquetas|di|pubblicato|aggiornato|fonte|door|gepubliceerd|bron|av|publicerad|" +
    "autor|opublikowano|data publikacji|źródło|fot|tagi|автор|опубликовано|источник|фото|теги|метки|просмотров|πηγή|φωτό|ετικέτες|δημοσιεύτηκε|来源|作者|责任编辑|编辑|发布时间|时间|标签|记者|点击|浏览|著者|출처|기자|yazar|zdroj",
  paging:
    "previous|next|older posts|newer posts|next page|previous page|page|load more|show more|view all|see all|back to top|back|home|skip to content|skip to main content|menu|search|close|open|expand|" +
    "weiter|zurück|nächste|vorherige|nach oben|startseite|mehr anzeigen|suche|menü|schließen|suivant|précédent|accueil|recherche|voir plus|retour|siguiente|anterior|inicio|buscar|volver|successivo|precedente|cerca|próximo|início|volgende|vorige|zoeken|nästa|föregående|sök|" +
    "następna|poprzednia|strona główna|szukaj|wstecz|więcej|następny|poprzedni|далее|назад|главная|поиск|следующая|предыдущая|наверх|επόμενο|προηγούμενο|αρχική|αναζήτηση|上一篇|下一篇|下一页|上一页|首页|返回|搜索|返回顶部|次へ|前へ|다음|이전|ana sayfa|domů",
  shop:
    "add to cart|add to basket|add to bag|buy now|in stock|out of stock|free shipping|quantity|sale|price|reviews|customer reviews|write a review|checkout|wishlist|add to wishlist|shipping|returns|size guide|compare|quick view|" +
    "in den warenkorb|warenkorb|lieferzeit|versand|bewertungen|merkzettel|ajouter au panier|livraison|avis|añadir al carrito|envío|opiniones|aggiungi al carrello|spedizione|adicionar ao carrinho|in winkelwagen|dodaj do koszyka|dostawa|opinie|в корзину|купить|доставка|отзывы|προσθήκη στο καλάθι|购物车|购买|价格|カートに入れる|장바구니|sepete ekle|do košíku",
} satisfies Record<string, string>;

/** The names of the kinds of cues, in the order of their bits. */
export const CUES: readonly string[] = Object.keys(phrases);

const LONGEST = 4;
/** The length of the longest phrase that begins with a word, by the low bits of the word's hash: 0 for most words. */
const reaches = new Uint8Array(1 << 15);
const bits = new Map<number, number>();
const scratch = new Float32Array(STATISTIC_COUNT);
Object.values(phrases).forEach((list, bit) => {
  for (const phrase of list.split("|")) {
    const words = { hashes: new Int32Array(8), count: 0 };
    countText(phrase, scratch, 0, words);
    if (words.count === 0 || words.count > LONGEST) continue;
    let hash = words.count;
    for (let word = 0; word < words.count; word++) hash = mixHash(hash * 31, words.hashes[word]!);
    bits.set(hash, (bits.get(hash) ?? 0) | (1 << bit));
    const first = reach(words.hashes[0]!);
    reaches[first] = Math.max(reaches[first]!, words.count);
  }
});

function reach(hash: number): number {
  return (hash ^ (hash >>> 15)) & (reaches.length - 1);
}

/** The kinds of cues among the words `from … to` of `hashes`: in the low half those anywhere, in the high half those that begin it. */
export function findCues(hashes: Int32Array, from: number, to: number): number {
  let found = 0;
  for (let start = from; start < to; start++) {
    const longest = Math.min(to - start, reaches[reach(hashes[start]!)]!);
    for (let count = 1; count <= longest; count++) {
      let hash = count;
      for (let word = start; word < start + count; word++) hash = mixHash(hash * 31, hashes[word]!);
      const cue = bits.get(hash);
      if (cue !== undefined) found |= start === from ? cue | (cue << 16) : cue;
    }
  }
  return found;
}
