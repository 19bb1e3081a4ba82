/**
 * Keeps screenshots and printed pages, in a storage that has a place for them; without one they are data URIs in the
 * documents, and so are those that it rejects. A file is kept at least as long as a job is readable; removing it is up
 * to the store.
 */
export interface FileStore {
  /** Keeps a file, and resolves with the URL at which the host serves it. */
  put(file: { readonly team: string; readonly contentType: string; readonly bytes: Uint8Array }): Promise<string>;
}
