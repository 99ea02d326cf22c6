import { describe, expect, it } from 'vitest'
import { createAnswers } from '../../src/rest/answers.js'
import { createStore, type Entry } from '../../src/rest/asking/store.js'

const entry = (key: string, at: number, value: unknown = key): Entry => ({
  key,
  at,
  kept: { value, fresh: 60_000, limit: Infinity, revalidate: 0 },
})

describe('answers that came another way', () => {
  it('are at hand before anything is asked, the newer of two', () => {
    const answers = createAnswers()
    answers.put([entry('a', 2, 'new'), entry('b', 1)])
    answers.put([entry('a', 1, 'old')])
    expect([answers.peek('a')?.kept.value, answers.entries().length, answers.peek('c')]).toEqual(['new', 2, undefined])
  })

  it('lie in the store from the first question on, which every later one finds', () => {
    const answers = createAnswers()
    answers.put([entry('a', Date.now())])
    const store = answers.open(createStore)
    expect(store.get('a', 60_000)?.kept.value).toBe('a')
    expect(answers.open(createStore)).toBe(store)
    answers.dispose()
    expect(store.entries()).toEqual([])
  })

  it('tell of each change, before and after the first question', () => {
    const answers = createAnswers()
    const sizes: number[] = []
    answers.changed$.subscribe(() => sizes.push(answers.entries().length))
    answers.put([entry('GET /a', 1), entry('GET /b', 1)])
    answers.remove((key) => key.endsWith('a'))
    answers.open(createStore).put([entry('GET /c', 1)])
    answers.remove(() => true)
    expect([sizes[0], sizes[1], Math.max(...sizes.slice(2)), sizes.at(-1)]).toEqual([2, 1, 2, 0])
    answers.dispose()
  })
})
