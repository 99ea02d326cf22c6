import { afterEach, beforeEach } from 'vitest'
import { describeMachine } from '../../scripts/test/machine.mjs'
import { describePrograms, forgetEnded } from '../e2e/example-process.js'
import { clearPageEvents, describePages } from '../e2e/page-events.js'

/**
 * Adds to each failure what explains it on somebody else's machine: its load and memory, the last events of pages, and
 * what programs have printed last.
 */
beforeEach(() => {
  clearPageEvents()
  forgetEnded()
})
afterEach(({ task }) => {
  const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined
  if (error === undefined) return
  const facts = ['── the machine, pages and programs', describeMachine(), describePages(), describePrograms()]
    .filter(Boolean)
    .join('\n')
  error.stack = `${error.stack ?? error.message}\n${facts}`
})
