/**
 * Where pictures and printed pages go, in a storage that has a place for them; without one they are data URIs.
 * A file is kept at least as long as a job is readable; who removes it is the store.
 */
export interface FileStore {
  /** Keeps a file and returns the URL at which the host serves it. */
  put(file: { readonly team: string; readonly contentType: string; readonly bytes: Uint8Array }): Promise<string>;
}
