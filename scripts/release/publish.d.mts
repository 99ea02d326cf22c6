/** A packed package: its name and version, and the path of its tarball. */
interface PackedPackage {
  readonly name: string
  readonly version: string
  readonly tarball: string
}

export function publish(release: {
  readonly packed: readonly PackedPackage[]
  readonly tag: 'canary' | 'latest' | 'next'
  readonly root: string
  readonly npm: (args: readonly string[], cwd: string) => string
  readonly print: (line: string) => void
}): void
