import { expect, it } from 'vitest'
import { effectScope, shallowRef } from 'vue'
import { toStream } from '../../../../src/adapters/vue/bridges/stream-refs.js'

it('emits the value of a ref, then each change synchronously', () => {
  const address = shallowRef('a')
  const seen: string[] = []
  const subscription = toStream(address).subscribe((value) => seen.push(value))
  address.value = 'b'
  expect(seen).toEqual(['a', 'b'])
  subscription.unsubscribe()
  address.value = 'c'
  expect(seen).toEqual(['a', 'b'])
})

it('emits changes of a getter, and a plain value once', () => {
  const index = shallowRef(1)
  const seen: number[] = []
  const subscription = toStream(() => index.value * 10).subscribe((value) => seen.push(value))
  index.value = 2
  subscription.unsubscribe()
  toStream(5).subscribe((value) => seen.push(value))
  expect(seen).toEqual([10, 20, 5])
})

it('emits changes also after the scope in which it was subscribed has ended, until it is unsubscribed', () => {
  const address = shallowRef('a')
  const seen: string[] = []
  const scope = effectScope()
  const subscription = scope.run(() => toStream(address).subscribe((value) => seen.push(value)))
  scope.stop()
  address.value = 'b'
  subscription?.unsubscribe()
  address.value = 'c'
  expect(seen).toEqual(['a', 'b'])
})
