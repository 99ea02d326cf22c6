import { EventEmitter } from 'node:events'
import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { startProgram } from '../../e2e/example-process.js'
import { watchContext } from '../../e2e/page-events.js'

/** A page without a browser: its events alone. */
class QuietPage extends EventEmitter {
  readonly #url: string
  constructor(url: string) {
    super()
    this.#url = url
  }
  url(): string {
    return this.#url
  }
}

function openPage(url: string): QuietPage {
  const context = Object.assign(new EventEmitter(), { setDefaultTimeout: () => undefined })
  watchContext(context as unknown as BrowserContext)
  const page = new QuietPage(url)
  context.emit('page', page)
  return page
}

/** Runs a program that prints a text, to its end. */
async function print(text: string): Promise<void> {
  const program = startProgram('--eval', {}, { args: [`console.log('${text}')`] })
  await program.printed(text)
  await program.kill()
}

it('passes', async () => {
  openPage('http://passing/').emit('domcontentloaded')
  await print('printed by passing')
})

it('fails', async () => {
  await print('printed by failing')
  openPage('http://failing/').emit('domcontentloaded')
  expect(1).toBe(2)
})
