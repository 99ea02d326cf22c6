import { expect, it } from 'vitest'
import * as testing from '../../../../src/adapters/vue/testing/index.js'

it('exports exactly these names', () => {
  expect(Object.keys(testing)).toEqual(['mountWithChain'])
})
