import { expect, test } from "vitest";
import { FRAME_TEXTS, found, keep, page } from "./main-content-frame.ts";

const posts = [
  "My sourdough starter smells of acetone after two days in the fridge. I feed it equal parts of flour and water by weight. Should I throw it away and begin again?",
  "No need to throw it away. The smell means that it is hungry: feed it twice a day at room temperature for a while and it will recover.",
  "I agree with the answer above. Mine did the same last winter. A spoon of rye flour in each feed helped a lot, and after three days it doubled in four hours again.",
  "Thank you both! I have fed it with rye since Friday and the smell is gone. I will bake the first loaf tomorrow morning.",
];
const authors = ["doughboy", "millwright", "crumbs", "doughboy"];

test("a Discourse thread is read from its noscript part", () => {
  const thread = posts
    .map(
      (post, index) =>
        `<div itemprop="comment" itemscope itemtype="http://schema.org/Comment" id="post_${index + 1}" class="topic-body crawler-post">
<div class="crawler-post-meta"><span class="creator" itemprop="author"><a rel="nofollow" href="/u/${authors[index]}"><span itemprop="name">${authors[index]}</span></a></span>
<span class="crawler-post-infos"><time itemprop="datePublished" datetime="2026-01-0${index + 1}" class="post-time">January ${index + 1}, 2026, 9:1${index}am</time><span itemprop="position">${index + 1}</span></span></div>
<div class="post" itemprop="text"><p>${post}</p></div></div>`,
    )
    .join("");
  const html = `<!doctype html><html><head><title>Starter smells of acetone - Bread - Bakers' Forum</title><meta name="generator" content="Discourse 3.4"></head>
<body class="crawler"><noscript data-path="/t/starter/12"><header class="d-header"><h1><a href="/">Bakers' Forum</a></h1></header>
<div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1><a href="/t/starter/12">Starter smells of acetone</a></h1>
<div class="topic-category"><span class="category-name">Bread</span></div></div>
<div itemscope itemtype="http://schema.org/DiscussionForumPosting">${thread}</div>
<div id="related-topics" class="more-topics__list"><h3>Related topics</h3><table class="topic-list"><tr><th>Topic</th><th>Replies</th></tr>
<tr><td><a href="/t/1">Cold oven start</a></td><td>4</td></tr><tr><td><a href="/t/2">Which flour for baguettes</a></td><td>11</td></tr></table></div></div>
<footer class="container wrap"><nav class="crawler-nav"><ul><li><a href="/">Home</a></li><li><a href="/categories">Categories</a></li><li><a href="/tos">Terms of Service</a></li></ul></nav></footer></noscript></body></html>`;
  const { kept, pageType, text } = keep(html, "https://forum.bakers.example/t/starter-smells-of-acetone/12");
  expect(kept).toBe(true);
  expect(pageType).toBe("forum");
  expect(found(text, posts)).toEqual(posts);
  expect(found(text, ["Terms of Service", "Which flour for baguettes"])).toEqual([]);
});

test("a phpBB thread keeps every post and loses profiles and controls", () => {
  const thread = posts
    .map(
      (post, index) => `<div id="p${index + 40}" class="post has-profile bg${(index % 2) + 1}"><div class="inner">
<dl class="postprofile"><dt class="has-profile-rank"><a href="./memberlist.php?u=${index}" class="username">${authors[index]}</a></dt><dd class="profile-posts"><strong>Posts:</strong> ${index * 31}</dd><dd class="profile-joined"><strong>Joined:</strong> Mon Mar 0${index + 1}, 2021 8:40 am</dd></dl>
<div class="postbody"><h3 ${index === 0 ? 'class="first"' : ""}><a href="#p${index + 40}">Starter smells of acetone</a></h3>
<ul class="post-buttons"><li><a href="./posting.php?mode=quote" title="Reply with quote" class="button button-icon-only">Quote</a></li></ul>
<div class="content">${post}</div><div class="signature">Bread is a slow kind of weather</div></div></div></div><hr class="divider">`,
    )
    .join("");
  const { pageType, text } = keep(
    page(
      "Starter smells of acetone - Bakers' board",
      `<div id="page-body" class="page-body" role="main"><h2 class="topic-title"><a href="./viewtopic.php?t=9">Starter smells of acetone</a></h2>
<div class="action-bar bar-top"><a href="./posting.php" class="button">Post Reply</a><div class="pagination">4 posts • Page 1 of 1</div></div>${thread}
<div class="action-bar actions-jump"><a class="jumpbox-return" href="./viewforum.php?f=1">Return to “Bread”</a></div>
<div class="stat-block online-list"><h3>Who is online</h3><p>Users browsing this forum: No registered users and 3 guests</p></div></div>`,
      '<meta name="generator" content="phpBB">',
    ),
    "https://board.bakers.example/viewtopic.php?t=9",
  );
  expect(pageType).toBe("forum");
  expect(found(text, posts)).toEqual(posts);
  expect(found(text, [...FRAME_TEXTS, "Post Reply"])).toEqual([]);
});

test("the comments below a short post keep who wrote each of them", () => {
  const words =
    "harbour wind anchor tide rope plank sail captain morning storm bread lamp salt deck keel mast crew".split(" ");
  const sentence = (count: number, first: number) =>
    `${Array.from({ length: count }, (_, index) => words[(first * 7 + index * (first + 3)) % words.length]).join(" ")}.`;
  const names = ["Olle", "Maria Stone", "Priya", "Tomás", "Wei Chen", "Anna", "John B.", "Ruth"];
  const comments = names.map(
    (name, index) => `<li class="comment depth-1"><article class="comment-body"><footer class="comment-meta">
<div class="comment-author vcard"><img class="avatar" alt="" src="/avatars/${index}.png"> <b class="fn">${name}</b> <span class="says">says:</span></div>
<div class="comment-metadata"><a href="/ropes#comment-${index}"><time>March ${index + 1}, 2024 at 10:0${index} am</time></a></div></footer>
<div class="comment-content"><p>${sentence(12 + index * 3, index)}</p></div><div class="reply"><a href="/ropes?replytocom=${index}">Reply</a></div></article></li>`,
  );
  const content = `<div id="content"><main><article class="post"><header class="entry-header"><h1>On ropes</h1></header>
<div class="entry-content"><p>${sentence(50, 9)}</p></div></article>
<div id="comments"><h2>8 comments</h2><ol class="comment-list">${comments.join("")}</ol></div></main></div>`;
  const { text } = keep(page("On ropes", content), "https://harbour.example/ropes");
  expect(text.match(/ at 10:0\d am/g)).toHaveLength(names.length);
  expect(found(text, names)).toEqual(names);
});
