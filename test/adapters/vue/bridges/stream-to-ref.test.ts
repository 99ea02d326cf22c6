// @vitest-environment happy-dom
import { BehaviorSubject, Observable } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { computed, effectScope, isReactive, isRef, watchEffect } from 'vue'
import { useStream } from '../../../../src/adapters/vue/bridges/stream-refs.js'

/** A state stream that counts its subscribers. */
function createCounted<T>(initial: T) {
  const subject = new BehaviorSubject(initial)
  let listeners = 0
  const state$ = new Observable<T>((subscriber) => {
    listeners += 1
    const subscription = subject.subscribe(subscriber)
    subscription.add(() => void (listeners -= 1))
    return subscription
  })
  return { state$, next: (value: T) => subject.next(value), listeners: () => listeners }
}

describe('a stream as a ref', () => {
  it('subscribes on the first read, and only once', () => {
    const source = createCounted(1)
    effectScope().run(() => {
      const value = useStream(source.state$, 0)
      expect(source.listeners()).toBe(0)
      expect([value.value, value.value]).toEqual([1, 1])
      expect(source.listeners()).toBe(1)
    })
  })

  it('ends with the scope that called it, even if another scope read it first', () => {
    const source = createCounted(1)
    const caller = effectScope()
    const reader = effectScope()
    const value = caller.run(() => useStream(source.state$, 0))!
    reader.run(() => value.value)
    reader.stop()
    expect(source.listeners()).toBe(1)
    caller.stop()
    expect(source.listeners()).toBe(0)
    expect(value.value).toBe(1)
  })

  it('ends with the stream if called outside a scope', () => {
    const source = createCounted(1)
    const value = useStream(source.state$, 0)
    const reader = effectScope()
    reader.run(() => value.value)
    reader.stop()
    source.next(2)
    expect(value.value).toBe(2)
  })

  it('keeps its initial value when it is first read after its scope has ended', () => {
    const source = createCounted(1)
    const scope = effectScope()
    const value = scope.run(() => useStream(source.state$, 0))!
    scope.stop()
    expect(value.value).toBe(0)
    expect(source.listeners()).toBe(0)
  })

  it('triggers effects and computed values', () => {
    const source = createCounted(1)
    const seen: number[] = []
    const scope = effectScope()
    scope.run(() => {
      const value = useStream(source.state$, 0)
      const double = computed(() => value.value * 2)
      watchEffect(() => seen.push(double.value), { flush: 'sync' })
    })
    source.next(2)
    expect(seen).toEqual([2, 4])
    scope.stop()
  })

  it('holds plain objects and is read-only', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const entry = { nested: { amount: 1n } }
    const value = useStream(new BehaviorSubject(entry), entry)
    expect(isRef(value)).toBe(true)
    expect(isReactive(value.value)).toBe(false)
    expect(value.value).toBe(entry)
    Reflect.set(value, 'value', null)
    expect(value.value).toBe(entry)
    warn.mockRestore()
  })
})
