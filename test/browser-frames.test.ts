/** What a page shows in frames is part of it. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

const inner = `<h2>Inside</h2><a href="next.html">next</a> <a href="#here">here</a> <a href="mailto:a@b.example">mail</a>
  <img alt="dot" src="dot.png"><img alt="set" srcset="small.png 1x, large.png 2x">`;
const routes = {
  "/": page("Outside", ["next.html"]).replace("</main>", '<iframe src="/deep/in/frame.html"></iframe></main>'),
  "/deep/in/frame.html": inner,
};

test("links and pictures of a frame lead to where they lead in the frame", async () => {
  const { url } = await site(routes);
  const options = { waitFor: 1, onlyMainContent: false, formats: ["links" as const, "markdown" as const] };
  const { data } = await engineFor().scrape({ url, ...options });
  const frame = `${url}/deep/in`;
  expect(data.links).toEqual([
    `${url}/next.html`,
    `${frame}/next.html`,
    `${frame}/frame.html#here`,
    "mailto:a@b.example",
  ]);
  expect(data.markdown).toContain(`![dot](${frame}/dot.png)`);
  expect(data.markdown).toContain(`![set](${frame}/large.png)`);
});
