import { onScopeDispose, shallowReadonly, shallowRef, watch, type Ref } from 'vue'

/** An element's content width and height in pixels; 0 until it is mounted. */
export function useSize(element: Readonly<Ref<HTMLElement | null>>): {
  width: Readonly<Ref<number>>
  height: Readonly<Ref<number>>
} {
  const width = shallowRef(0)
  const height = shallowRef(0)
  const observer = new ResizeObserver(([entry]) => {
    width.value = Math.floor(entry?.contentRect.width ?? 0)
    height.value = Math.floor(entry?.contentRect.height ?? 0)
  })
  watch(element, (now, before) => {
    if (before) observer.unobserve(before)
    if (now) observer.observe(now)
  })
  onScopeDispose(() => observer.disconnect())
  return { width: shallowReadonly(width), height: shallowReadonly(height) }
}
