import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Calls a function in the async context in which this package was loaded, for what serves many callers: in the context
 * of the first it would keep that alive, and timeouts of Crawlee in it would apply to a browser for all. This module
 * must therefore be loaded with the package.
 */
export const outside = AsyncLocalStorage.snapshot();
