import { existsSync, readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'

/** What all processes of a browser have used. */
export interface BrowserUsage {
  /** Processor time, s. */
  readonly cpu: number
  /** MiB, each shared page divided among its processes (Linux). NaN where it cannot be read. */
  readonly memory: number
}

export async function browserUsage(browser: Browser): Promise<BrowserUsage> {
  const session = await browser.newBrowserCDPSession()
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return {
      cpu: processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
      memory: processInfo.reduce((sum, { id }) => sum + memoryOf(id), 0),
    }
  } finally {
    await session.detach()
  }
}

function memoryOf(process: number): number {
  const file = `/proc/${process}/smaps_rollup`
  if (!existsSync(file)) return Number.NaN
  const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}
