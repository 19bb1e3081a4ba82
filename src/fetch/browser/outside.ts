import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Calls a function in the async context in which this package was loaded. A browser serves requests of many callers, so
 * neither it nor the code for it begins in the context of the first, which may contain timeouts of Crawlee that would
 * apply to the pool. This module must therefore be loaded with the package.
 */
export const outside = AsyncLocalStorage.snapshot();
