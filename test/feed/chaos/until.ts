/** Repeats a check until it holds. */
export async function until(check: () => Promise<boolean>, limit = 60_000): Promise<void> {
  const end = performance.now() + limit
  for (;;) {
    if (await check().catch(() => false)) return // a server may be starting
    if (performance.now() > end) throw new Error('The state was not reached')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
