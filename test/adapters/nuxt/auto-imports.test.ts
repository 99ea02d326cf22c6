import { expect, it } from 'vitest'
import * as api from '../../../src/index.js'
import { isAutoImported } from '../../../src/adapters/nuxt/build-hints.js'

it('imports every composable and the functions of templates, no class, constant, plugin or component', () => {
  const names = Object.keys(api).filter(isAutoImported)
  const composables = Object.keys(api).filter((name) => name.startsWith('use'))
  expect(names).toEqual(expect.arrayContaining([...composables, 'kaspaToSompi', 'sompiToKaspa', 'isValidAddress']))
  expect(names.filter((name) => typeof Reflect.get(api, name) !== 'function')).toEqual([])
  expect(names.filter((name) => /^[A-Z]|hydrate|^query|^create|^verify/.test(name))).toEqual([])
})
