import { BehaviorSubject, firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { isAddressSource, toAddresses$ } from '../../src/streams/addresses.js'

const ALICE = 'kaspasim:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s7skwr78y'

describe('addresses to follow', () => {
  it.each([
    ['a list', [ALICE]],
    ['a stream of lists', of([ALICE])],
    ['a source', { addresses$: new BehaviorSubject([ALICE]) }],
  ])('may be %s', async (_, addresses) => {
    expect(await firstValueFrom(toAddresses$(addresses))).toEqual([ALICE])
  })

  it('distinguish a source from lists, texts, streams and nothing', () => {
    expect(isAddressSource({ addresses$: of([]) })).toBe(true)
    expect([[ALICE], ALICE, of([ALICE]), null, undefined, { addresses$: [ALICE] }].filter(isAddressSource)).toEqual([])
  })
})
