import type UPlot from 'uplot'
import { onMounted, shallowReadonly, shallowRef, type Ref } from 'vue'

/**
 * Loads the chart library and calls `draw` with it. `isMissing` is true where it cannot be loaded: the page then shows
 * its figures without a chart.
 */
export function useChartLibrary(draw: (library: typeof UPlot) => void): { isMissing: Readonly<Ref<boolean>> } {
  const isMissing = shallowRef(false)
  onMounted(() =>
    import('uplot').then(
      ({ default: library }) => draw(library),
      () => {
        isMissing.value = true
      },
    ),
  )
  return { isMissing: shallowReadonly(isMissing) }
}
