/**
 * Node's `http` module, loaded by `require`. An `import` would read all its names, including `WebSocket`, which loads a
 * second undici and takes 10 ms at start.
 */

export const { STATUS_CODES, createServer, request } = process.getBuiltinModule("node:http");
