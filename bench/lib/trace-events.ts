import type { Page } from 'playwright-core'

/** An event of Chromium's trace. Times in µs: `dur` passed, `tdur` of the thread's processor time. */
export interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** The events of some categories while `work` runs. */
export async function traceEvents(
  page: Page,
  categories: readonly string[],
  work: () => Promise<unknown>,
): Promise<readonly TraceEvent[]> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  // typed as objects
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const completed = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: [...categories] },
  })
  await work()
  await session.send('Tracing.end')
  await completed
  return events
}
