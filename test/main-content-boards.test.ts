// Threads as boards write them: profiles, quotations, signatures and controls around each post.
import { expect, test } from "vitest";
import { FRAME_TEXTS, found, keep, page } from "./main-content-frame.ts";

const posts = [
  "I have been running the 2.4 controller on my kiln for about six months now and the only real problem is that the thermocouple reading drifts by roughly eight degrees once the chamber is above 1100. Has anybody else seen this, and is there a setting for it?",
  "Yes, mine did the same. It turned out that the compensation cable was wired with ordinary copper for the last half metre, so there was a second junction in the warm part of the case. Replace it all the way to the terminal block.",
  "Before you rewire anything, check the type setting. The firmware assumes type K out of the box, and if you have fitted an S the curve is completely different at the top end.",
  "Thanks both. It was the cable indeed. I replaced the last bit with proper extension wire and the reading is now within one degree of my witness cones across three firings.",
];
const authors = ["clayhand", "Marten_K", "old_potter", "clayhand"];
const TITLE = "Thermocouple drift above 1100";
const QUOTED = "the thermocouple reading drifts by roughly eight degrees";
const SIGNATURE = "Fire slowly. My glaze recipes are on the wall";

test("a quotation in a post is kept with the name of who is quoted, and all posts have their author's name", () => {
  const quote = `<blockquote data-quote="clayhand" class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title"><a href="/goto/post?id=100" class="bbCodeBlock-sourceJump">clayhand said:</a></div>
<div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent">${QUOTED}</div><div class="bbCodeBlock-expandLink"><a role="button" tabindex="0">Click to expand...</a></div></div></blockquote>`;
  const thread = posts
    .map(
      (
        post,
        index,
      ) => `<article class="message message--post" data-author="${authors[index]}" id="js-post-${index}"><div class="message-inner">
<div class="message-cell message-cell--user"><section class="message-user" itemprop="author" itemscope itemtype="https://schema.org/Person"><div class="message-userDetails"><h4 class="message-name"><a href="/members/${index}/" class="username" data-user-id="${index}"><span itemprop="name">${authors[index]}</span></a></h4><h5 class="userTitle message-userTitle">Well-known member</h5></div>
<div class="message-userExtras"><dl class="pairs pairs--justified"><dt>Joined</dt><dd>Feb 1, 2019</dd></dl><dl class="pairs pairs--justified"><dt>Messages</dt><dd>${340 + index}</dd></dl></div></section></div>
<div class="message-cell message-cell--main"><div class="message-main"><header class="message-attribution"><ul class="message-attribution-main listInline"><li class="u-concealed"><a href="/post-${index}"><time class="u-dt" datetime="2025-04-0${index + 1}">Apr ${index + 1}, 2025</time></a></li></ul><ul class="message-attribution-opposite"><li><a href="/post-${index}">#${index + 1}</a></li></ul></header>
<div class="message-content"><div class="message-userContent"><article class="message-body"><div itemprop="text"><div class="bbWrapper">${index === 1 ? quote : ""}${post}</div></div></article></div><aside class="message-signature"><div class="bbWrapper">${SIGNATURE}</div></aside></div>
<footer class="message-footer"><div class="message-actionBar actionBar"><a href="/react" class="reaction">Like</a><a href="/reply" class="actionBar-action--reply">Reply</a></div></footer></div></div></div></article>`,
    )
    .join("");
  const { pageType, text } = keep(
    page(
      TITLE,
      `<div class="p-body"><div class="p-body-inner"><ul class="p-breadcrumbs"><li><a href="/">Forums</a></li><li><a href="/forums/kilns.4/">Kilns and firing</a></li></ul><div class="p-title"><h1 class="p-title-value">${TITLE}</h1></div>
<div class="p-body-main"><div class="p-body-content"><div class="block block--messages" data-type="post"><div class="block-container lbContainer"><div class="block-body">${thread}</div></div>
<div class="block-outer block-outer--after"><a href="/login/" class="button">You must log in or register to reply here.</a></div></div></div></div></div></div>`,
    ),
    "https://board.example/threads/thermocouple-drift-above-1100.12/",
  );
  expect(pageType).toBe("forum");
  expect(found(text, [...posts, "clayhand said:", QUOTED])).toEqual([...posts, "clayhand said:", QUOTED]);
  expect(text.match(/clayhand(?! said)|Marten_K|old_potter/g)).toEqual(authors);
  expect(found(text, [...FRAME_TEXTS, "Click to expand", "Joined", "Well-known member", SIGNATURE])).toEqual([]);
});

test("posts that are items of a list lose profiles and signatures", () => {
  const thread = posts
    .map(
      (
        post,
        index,
      ) => `<li class="postbitlegacy postbitim postcontainer old" id="post_${index}"><div class="posthead"><span class="postdate old"><span class="date">0${index + 1}-04-2012,&nbsp;<span class="time">09:1${index} AM</span></span></span><span class="nodecontrols"><a href="showthread.php?p=${index}" class="postcounter">#${index + 1}</a></span></div>
<div class="postdetails"><div class="userinfo"><div class="username_container"><div class="popupmenu memberaction"><a class="username offline popupctrl" href="member.php?${index}" title="${authors[index]} is offline"><strong>${authors[index]}</strong></a><ul class="popupbody popuphover memberaction_body"><li class="left"><a href="member.php?${index}" class="siteicon_profile">View Profile</a></li><li class="right"><a href="search.php?u=${index}" class="siteicon_forum">View Forum Posts</a></li></ul></div></div><span class="usertitle">Senior Member</span><hr /><dl class="userinfo_extra"><dt>Join Date</dt> <dd>Jan 2009</dd><dt>Location</dt> <dd>Jutland</dd><dt>Posts</dt> <dd>${340 + index}</dd></dl></div>
<div class="postbody"><div class="postrow has_after_content"><h2 class="title icon">${index === 0 ? "" : "Re: "}${TITLE}</h2><div class="content"><div id="post_message_${index}"><blockquote class="postcontent restore">${post}</blockquote></div></div></div><div class="after_content"><blockquote class="signature restore"><div class="signaturecontainer">${SIGNATURE}</div></blockquote></div></div></div>
<div class="postfoot"><div class="textcontrols floatcontainer"><span class="postcontrols"><a class="newreply" href="newreply.php?p=${index}">Reply With Quote</a></span></div></div></li>`,
    )
    .join("");
  const { pageType, text } = keep(
    page(
      TITLE,
      `<div class="body_wrapper"><div id="pagetitle" class="pagetitle"><h1>Thread: <span class="threadtitle"><a href="showthread.php?77">${TITLE}</a></span></h1></div>
<div id="postlist" class="postlist restrain"><ol id="posts" class="posts" start="1">${thread}</ol></div>
<div class="thread_info block"><h4 class="threadinfohead blockhead">Posting Permissions</h4><ul class="youcandoblock"><li>You <strong>may not</strong> post new threads</li><li>You <strong>may not</strong> post replies</li></ul></div></div>`,
      '<meta name="generator" content="vBulletin 4.2.0" />',
    ),
    "http://board.example/showthread.php?77-Thermocouple-drift-above-1100",
  );
  expect(pageType).toBe("forum");
  expect(found(text, posts)).toEqual(posts);
  expect(found(text, [...FRAME_TEXTS, "View Profile", "Join Date", "Jutland", SIGNATURE])).toEqual([]);
});
