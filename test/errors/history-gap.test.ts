import { expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { historyGap, isHistoryGap } from '../../src/errors/history-gap.js'

const gap = {
  from: { hash: 'a'.repeat(64), blueScore: 5n },
  to: { hash: 'b'.repeat(64), blueScore: 900n },
  reason: 'pruned',
  resumeCursor: 'cursor',
} as const

it('describes a history gap with both ends, the reason and the cursor to resume with', () => {
  const error = historyGap(gap, new Error('below the retention root'))
  expect(error).toMatchObject({ ...gap, code: 'history-gap', details: 'below the retention root' })
  expect(error.toString()).toBe(
    'ChainError: The chain between blue score 5 and blue score 900 cannot be read: the node has deleted it\n' +
      'Details: below the retention root\n' +
      'Hint: Connect to a node that keeps more history, or rebuild your rows and continue with resumeCursor.',
  )
})

it('distinguishes a history gap from other errors', () => {
  expect(isHistoryGap(historyGap(gap, undefined))).toBe(true)
  expect(isHistoryGap(new ChainError('failed', { code: 'failed' }))).toBe(false)
  expect(isHistoryGap('history-gap')).toBe(false)
})
