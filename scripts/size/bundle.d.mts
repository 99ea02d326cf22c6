/** A chunk or asset of a bundle, as `measure` reads it. */
export type BundlePart = Readonly<Record<string, unknown>>

export interface Sizes {
  /** Bytes, minified. */
  readonly min: number
  /** Bytes, minified, each chunk gzipped on its own. */
  readonly gzip: number
}

/** Bundles code as a user's production build would, in memory; vue, rxjs, Node and the WASM SDK stay outside. */
export function bundle(code: string): Promise<readonly BundlePart[]>

/** The sizes of what an import loads at once, and of all parts. */
export function measure(output: readonly BundlePart[]): { readonly atOnce: Sizes; readonly all: Sizes }
