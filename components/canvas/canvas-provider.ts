// What is around the canvas may read and move it; nothing outside of this folder imports the library.
export { ReactFlowProvider as CanvasProvider } from '@xyflow/react';
