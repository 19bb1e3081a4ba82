/** Node's HTTP. An `import` of it would read all its names, `WebSocket` too, which loads a second undici: 10 ms at start. */

export const { STATUS_CODES, createServer, request } = process.getBuiltinModule("node:http");
