import { describe, expect, it } from 'vitest'
import { problemOfName } from '../../create/src/package-name.js'

describe('the name of a created app', () => {
  it.each(['app', 'my-app', 'app2', '2048', 'my.app_v2', 'a'.repeat(214)])('accepts %s', (name) => {
    expect(problemOfName(name)).toBeUndefined()
  })

  it.each([
    ['My App', 'for example my-app'],
    ['.app', 'for example app'],
    ['_app', 'for example app'],
    ['app!', 'for example app'],
    ['Ünïcode', 'for example n-code'],
    ['a'.repeat(215), 'is no name of a package'],
    ['', '"" is no name of a package: use lower-case letters, digits, ".", "-" and "_".'],
  ])('refuses %j', (name, message) => {
    expect(problemOfName(name)).toContain(message)
  })

  it('refuses the names of packages that the app depends on, and those that npm reserves', () => {
    expect(problemOfName('vue', ['vue', 'rxjs'])).toBe('"vue" is the name of another package.')
    expect(problemOfName('node_modules')).toBe('"node_modules" is the name of another package.')
    expect(problemOfName('vue', ['rxjs'])).toBeUndefined()
  })
})
