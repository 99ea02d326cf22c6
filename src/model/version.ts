/** Whether `version` precedes `since`, both like `1.1.0`; suffixes (`-rc1`, a commit) are ignored. */
export function isOlder(version: string, since: string): boolean {
  const [a, b] = [version, since].map((text) => text.split(/[.\-+]/, 3).map((part) => Number.parseInt(part, 10) || 0))
  const at = [0, 1, 2].find((place) => a?.[place] !== b?.[place])
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0)
}
