"""VTK as a subject of rigproof: glTF through vtkGLTFReader, which skins the vertices itself."""
import json
import sys

import vtk

vtk.vtkLogger.SetStderrVerbosity(vtk.vtkLogger.VERBOSITY_OFF)


def pose(path, clip_index, time):
    """The vertices of each primitive, in the order of the nodes."""
    reader = vtk.vtkGLTFReader()
    reader.SetFileName(path)
    reader.ApplyDeformationsToGeometryOn()
    reader.UpdateInformation()
    for at in range(reader.GetNumberOfAnimations()):
        (reader.EnableAnimation if at == clip_index else reader.DisableAnimation)(at)
    reader.UpdateInformation()
    if clip_index is None:
        reader.Update()
    else:
        reader.UpdateTimeStep(time)
    skin, found = [], reader.GetOutput().NewIterator()
    while not found.IsDoneWithTraversal():
        data = found.GetCurrentDataObject()
        points = [data.GetPoint(at) for at in range(data.GetNumberOfPoints())]
        skin.append({"mesh": f"mesh-{len(skin)}", "positions": points})
        found.GoToNextItem()
    if not skin:
        raise RuntimeError("vtkGLTFReader reads no mesh of it")
    return skin


for line in sys.stdin:
    request = json.loads(line)
    if request["request"] == "hello":
        answer = {"protocol": "rigproof.subject/1", "name": "vtk", "version": vtk.vtkVersion().GetVTKVersion(), "gives": ["skin"]}
    else:
        at = None if request["clip"] is None else request.get("clip_index", 0)
        try:
            answer = {"id": request["id"], "skin": pose(request["model"], at, request["time"])}
        except RuntimeError as err:
            answer = {"id": request["id"], "error": str(err)}
    print(json.dumps(answer), flush=True)
