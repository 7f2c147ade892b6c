// What the libFuzzer target of objects starts from: a kernel that says of
// itself what src/ascendc/belay/entry.h would have it say, and needs nothing.
#include "abi/Entry.h"

using namespace belay::sim;

static constexpr Param Params[] = {{ParamKind::Pointer, 8, 8},
                                   {ParamKind::Integer, 4, 4}};
static constexpr Field Fields[] = {{"a", 0, 4, 1, ParamKind::Integer, true},
                                   {"b", 8, 8, 2, ParamKind::Float, false}};
extern "C" void outside();
static void invoke(void *const *) { outside(); }
extern "C" const Entry belay_entry = {
    EntryVersion, "k<half>", 2, Params, invoke, 24, 2, Fields, nullptr};
static const TaskNote Notes[] = {{"k", 0, TaskKind::Mix1To2, true},
                                 {"k", 7, TaskKind::Cube, false}};
extern "C" const TaskNote *belay_tasks_begin = Notes;
extern "C" const TaskNote *belay_tasks_end = Notes + 2;
