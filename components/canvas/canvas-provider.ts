// Lets components around the canvas read and move it; the library is only imported in this folder.
export { ReactFlowProvider as CanvasProvider } from '@xyflow/react';
