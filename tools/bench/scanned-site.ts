import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site in a process of its own, whose pages are a tree of three: `/0` leads to `/1`, `/2` and `/3`. */

const PARAGRAPHS = 60;
const BRANCHES = 3;

const text =
  'Green tea is good with water that is not quite boiling, as every kettle of some age knows. '.repeat(5);

const page = (number: number): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Page ${number} of the site</title><meta name="description" content="What is on page ${number}.">
<link rel="stylesheet" href="/style.css"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"Page ${number}"}</script></head>
<body><nav>${Array.from({ length: BRANCHES }, (_, at) => `<a href="/${number * BRANCHES + at + 1}">Next ${at}</a>`).join('')}<a href="/">Home</a></nav>
<main>${Array.from({ length: PARAGRAPHS }, (_, at) => `<p>${text}<a href="https://elsewhere.example/${number}/${at}">elsewhere</a><img src="/i/${at}.png" alt="A kettle"></p>`).join('\n')}</main></body></html>`;

const server = createServer((request, response) => {
  const number = Number(request.url?.slice(1));
  response.statusCode = Number.isInteger(number) ? 200 : 404;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(response.statusCode === 200 ? page(number) : '');
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
