import { expect, it } from 'vitest'
import { NEVER, Subject, concat, of } from 'rxjs'
import { startUnlessEmitted } from '../../src/streams/start-unless-emitted.js'

it('emits the initial value before one that comes later', () => {
  const source$ = new Subject<string>()
  const values: string[] = []
  source$.pipe(startUnlessEmitted('unknown')).subscribe((value) => values.push(value))
  expect(values).toEqual(['unknown'])
  source$.next('fresh')
  expect(values).toEqual(['unknown', 'fresh'])
})

it('emits no initial value where the source has one at once, for each subscriber', () => {
  const source$ = concat(of('fresh'), NEVER).pipe(startUnlessEmitted('unknown'))
  const values: string[] = []
  source$.subscribe((value) => values.push(value))
  source$.subscribe((value) => values.push(value))
  expect(values).toEqual(['fresh', 'fresh'])
})
