import { afterEach, beforeEach } from 'vitest'
import { describeMachine } from '../../scripts/test/machine.mjs'
import { clearPageEvents, describePages } from '../e2e/page-events.js'

/**
 * Adds to each failure what explains it on somebody else's machine: its load and memory, and the last events of pages.
 */
beforeEach(clearPageEvents)
afterEach(({ task }) => {
  const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined
  if (error === undefined) return
  const facts = ['── the machine and its pages', describeMachine(), describePages()].filter(Boolean).join('\n')
  error.stack = `${error.stack ?? error.message}\n${facts}`
})
