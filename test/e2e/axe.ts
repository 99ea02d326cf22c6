import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Axe {
  readonly axe: { run(options: RunOptions): Promise<AxeResults> }
}

/** The violations found by axe, one line each. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const results = await page.evaluate(() =>
    // what passes is not collected, and no style sheet is loaded again: that is for rules that are off
    (globalThis as unknown as Axe).axe.run({ resultTypes: ['violations'], preload: false }),
  )
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
