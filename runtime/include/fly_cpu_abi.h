/* Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The binary interface between a CPU object (a kernel module compiled for the
 * host) and the CPU runtime: the table that an object exports, what a lane
 * sees of its surroundings, what a handler of a cross-lane operation is given,
 * and the functions that the runtime lends to an object.
 *
 * An object holds one coroutine a kernel. A lane is one instance of it: the
 * runtime starts it by `entry`, it runs to its first cross-lane operation,
 * stores the operands in its slot and its site in its context, and suspends.
 * The runtime serves all lanes of a wave that wait at the smallest site in one
 * handler call, which writes each lane's results into its slot, and resumes
 * them by the address in the first word of their frame. docs/CPU.md has the
 * model.
 *
 * This header is C11 and includes the C library only. */

#ifndef FLY_CPU_ABI_H
#define FLY_CPU_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "FLYCPU" and two zero bytes, read as a little-endian number. */
#define FLY_CPU_MAGIC UINT64_C(0x0000555043594C46)
/* Rises with every change of this header or of fly_cpu_handlers.def that an
 * object compiled before it would not survive. */
#define FLY_CPU_ABI_VERSION 6u
/* The one symbol that an object exports; its type is fly_cpu_module. */
#define FLY_CPU_MODULE_SYMBOL "fly_cpu_module"

/* Largest wave of any chip, in lanes. */
#define FLY_CPU_MAX_WAVE 64
/* The number of a cluster's barrier; that of the workgroup is -1. */
#define FLY_CPU_CLUSTER_BARRIER (-3)
/* Alignment of coroutine frames, slots and LDS, in bytes. */
#define FLY_CPU_ALIGN 64
/* "No location" in any location index. */
#define FLY_CPU_NO_LOCATION UINT32_MAX
/* The site of a lane whose kernel has ended. */
#define FLY_CPU_SITE_ENDED UINT32_MAX

/* Numbers of the cross-lane operations. */
typedef enum fly_cpu_handler_id {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue) FlyCpuHandler##Id,
#include "fly_cpu_handlers.def"
  FlyCpuHandlerCount
} fly_cpu_handler_id;

/* -- What an object exports ---------------------------------------------- */

/* One source position. `file` is an offset into fly_cpu_module.strings;
 * `inlined_at` is the index of the place into which this one was inlined. */
typedef struct fly_cpu_location {
  uint32_t file;
  uint32_t line;
  uint32_t column;
  uint32_t inlined_at;
} fly_cpu_location;

/* One suspension site of a kernel. Sizes are in bytes and stand in
 * fly_cpu_module.pool: first those of the operands, then those of the results.
 * In the slot the fields follow in this order, each at the next multiple of 8
 * bytes. An i1 takes one byte, a struct result is one field for each member,
 * an LDS pointer is its 32-bit offset, a buffer resource its four 32-bit
 * words. */
typedef struct fly_cpu_site {
  uint32_t handler;         /* fly_cpu_handler_id */
  uint32_t location;        /* index of the operation's place */
  uint32_t sizes;           /* index into pool */
  uint32_t num_operands;
  uint32_t num_results;
  uint32_t immediates;      /* index into pool, see fly_cpu_handlers.def */
  uint32_t num_immediates;
  uint32_t chained;         /* 1: the next site is served right behind this one
                               for the same lanes, with its slot fields behind
                               those of this one; lanes wait at the first */
} fly_cpu_site;

/* One kernel parameter inside the packed argument block, in bytes. */
typedef struct fly_cpu_param {
  uint32_t offset;
  uint32_t size;
} fly_cpu_param;

struct fly_cpu_lane;

/* Starts a lane: runs it to its first site (or its end) and returns the
 * coroutine's frame, which is `lane->frame`. With a null lane it runs nothing
 * and returns the number of frame bytes that a lane needs, as a pointer. */
typedef void *(*fly_cpu_entry)(struct fly_cpu_lane *lane,
                               const void *arguments);

typedef struct fly_cpu_kernel {
  const char *name;
  fly_cpu_entry entry;
  const fly_cpu_site *sites;
  const fly_cpu_param *params;
  uint32_t num_sites;
  uint32_t num_params;
  uint32_t argument_bytes;  /* size of the packed argument block */
  uint32_t lds_bytes;       /* static LDS; dynamic LDS begins behind it */
  uint32_t lds_align;
  uint32_t wave_size;       /* 32 or 64 */
  uint32_t max_workgroup;   /* largest number of lanes of a workgroup */
  uint32_t required_block[3]; /* 0: any */
  uint32_t slot_bytes;      /* largest slot of any site */
  uint32_t location;        /* of the kernel itself */
  uint32_t required_cluster[3]; /* workgroups; 0: any */
} fly_cpu_kernel;

struct fly_cpu_runtime;

/* An assertion that user code can fail: number, text and place. */
typedef struct fly_cpu_assertion {
  uint32_t id;
  uint32_t message;         /* offset into strings */
  uint32_t location;
} fly_cpu_assertion;

/* What the conversion has put into the kernels. */
typedef enum fly_cpu_module_flag {
  FlyCpuModuleHooks = 1, /* calls of memory_access */
  FlyCpuModuleWaits = 2, /* a site for each wait that covers moves to LDS */
  FlyCpuModuleClusters = 4 /* of a chip with clusters of workgroups */
} fly_cpu_module_flag;

typedef struct fly_cpu_module {
  uint64_t magic;
  uint32_t abi_version;
  uint32_t num_kernels;
  const char *chip;         /* for example "gfx942" */
  const fly_cpu_kernel *kernels;
  const fly_cpu_location *locations;
  const char *strings;
  const int32_t *pool;
  const fly_cpu_assertion *assertions;
  uint32_t num_locations;
  uint32_t num_assertions;
  uint32_t lds_capacity;    /* bytes that a workgroup of the chip can have */
  uint32_t flags;           /* a set of fly_cpu_module_flag */
  /* The loader stores its function table here before any entry is called. */
  const struct fly_cpu_runtime **runtime;
} fly_cpu_module;

/* -- What a lane sees ----------------------------------------------------- */

/* What the lanes of one workgroup share. Objects read the ids and sizes, and
 * `lds`; the rest of a workgroup is the scheduler's. */
typedef struct fly_cpu_workgroup {
  uint32_t block_id[3];
  uint32_t block_dim[3];    /* lanes */
  uint32_t grid_dim[3];     /* workgroups */
  uint32_t lds_bytes;       /* static and dynamic */
  unsigned char *lds;       /* FLY_CPU_ALIGN aligned */
  uint32_t cluster_dim[3];  /* workgroups; 1 without clusters */
} fly_cpu_workgroup;

/* The context of one lane. */
typedef struct fly_cpu_lane {
  void *frame;              /* FLY_CPU_ALIGN aligned, written by the runtime */
  unsigned char *slot;      /* FLY_CPU_ALIGN aligned */
  const fly_cpu_workgroup *workgroup;
  uint32_t site;            /* where it waits, written by the lane */
  uint32_t lane;            /* number within the wave */
  uint32_t wave;            /* number of the wave within the workgroup */
  uint32_t thread_id[3];
} fly_cpu_lane;

/* -- What a handler is given ---------------------------------------------- */

/* What `fly.counter` of a wait counts: the numbers are those of
 * FLY_CPU_HANDLER(WaitCounter). */
typedef enum fly_cpu_counter {
  FlyCpuCounterVector = 0, /* vector memory accesses, moves to LDS among them */
  FlyCpuCounterTensor = 1, /* tensor copies */
  FlyCpuCounterAsync = 2   /* asynchronous copies of the lanes */
} fly_cpu_counter;

/* What arrives at a barrier in LDS. */
typedef enum fly_cpu_arrival {
  FlyCpuArrivalOfWave = 0, /* the wave */
  FlyCpuArrivalOfLoads = 1, /* it, behind its asynchronous loads */
  FlyCpuArrivalOfCopy = 2  /* the tensor copy that the site does */
} fly_cpu_arrival;

/* The lanes of one wave that wait at one site. A handler is a pure function of
 * this structure: it reads operands from and writes results to the slots of
 * the lanes in `exec`. */
typedef struct fly_cpu_group {
  uint32_t wave_size;
  uint32_t chip;            /* the digits of the name as hexadecimal: 0x942,
                               0x1100, 0x1250, 0x90a */
  uint64_t exec;            /* lanes of the group */
  uint64_t live;            /* lanes that have not ended, wherever they wait */
  unsigned char *const *slots; /* wave_size pointers; those of lanes that do
                                  not exist (a partly filled wave) are null */
  const fly_cpu_site *site;
  const int32_t *pool;
  unsigned char *lds;
  uint32_t lds_bytes;
  uint32_t cluster_size;    /* workgroups; 1 without clusters */
  uint32_t cluster_rank;    /* the workgroup's number among them, x first */
  uint32_t location;        /* that of the site */
  /* Keeps the first fault of the launch; the launch then stops. `lane` is the
   * lane within the wave, or -1. */
  void (*fault)(struct fly_cpu_group *group, int32_t lane,
                const char *message);
  /* Of a module with FlyCpuModuleHooks, else null: to be called before each
   * access of the handler, with a set of fly_cpu_access; `lane` is -1 for one
   * of the whole wave. 0: the access must not be done, a fault is kept. */
  int (*access)(struct fly_cpu_group *group, int32_t lane, const void *address,
                uint64_t bytes, uint32_t access);
  void *context;            /* the scheduler's */
  /* In a cluster of several workgroups, else null: to be called for a load for
   * the workgroups of `mask`, this one among them. Loads of different memory
   * have different numbers `request`. */
  void (*multicast)(struct fly_cpu_group *group, uint32_t mask,
                    uint64_t request);
  /* Of a module with FlyCpuModuleWaits, else null: to be called behind each
   * arrival at the barrier at `byte` of LDS. */
  void (*arrive)(struct fly_cpu_group *group, uint32_t byte, int completes,
                 fly_cpu_arrival arrival);
} fly_cpu_group;

typedef void (*fly_cpu_handler)(fly_cpu_group *group);

/* The function that serves `id` (a fly_cpu_handler_id), or null for those of
 * class None and Barrier, which the scheduler serves. Defined by the handlers
 * of the CPU runtime. */
fly_cpu_handler flyCpuGetHandler(uint32_t id);

/* Byte offset of slot field `index` (operands first, then results). */
static inline uint32_t flyCpuFieldOffset(const fly_cpu_group *group,
                                         uint32_t index) {
  const int32_t *sizes = group->pool + group->site->sizes;
  uint32_t offset = 0;
  for (uint32_t i = 0; i < index; ++i)
    offset += ((uint32_t)sizes[i] + 7u) & ~7u;
  return offset;
}

/* Byte size of slot field `index`. */
static inline uint32_t flyCpuFieldSize(const fly_cpu_group *group,
                                       uint32_t index) {
  return (uint32_t)group->pool[group->site->sizes + index];
}

/* Immediate `index` of the site. */
static inline int32_t flyCpuImmediate(const fly_cpu_group *group,
                                      uint32_t index) {
  return group->pool[group->site->immediates + index];
}

/* Mask with one bit for each lane of the wave. */
static inline uint64_t flyCpuFullMask(uint32_t wave_size) {
  return wave_size >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << wave_size) - 1;
}

/* -- What the runtime lends to an object ---------------------------------- */

/* Faults of one lane. */
typedef enum fly_cpu_lane_fault {
  FlyCpuFaultAssertion = 0,     /* detail: id of the failed assertion */
  FlyCpuFaultBufferSwizzle = 1, /* buffer descriptor with swizzle bits */
  FlyCpuFaultUnreachable = 2,   /* llvm.unreachable or a trap was reached */
  FlyCpuFaultBufferSize = 3     /* detail: a number of records that the field of
                                   the descriptor does not hold */
} fly_cpu_lane_fault;

/* Kinds of memory access, given to the access hook. */
typedef enum fly_cpu_access {
  FlyCpuAccessRead = 1,
  FlyCpuAccessWrite = 2,
  FlyCpuAccessAtomic = 4,
  FlyCpuAccessLds = 8,
  FlyCpuAccessBuffer = 16,
  FlyCpuAccessAsync = 32 /* of a handler: over only when the wave waits for it */
} fly_cpu_access;

/* The bytes of an object end with this: what is damaged is told before the
 * dynamic linker sees it. */
#define FLY_CPU_TRAILER_MAGIC 0x4b43555043594c46ull /* "FLYCPUCK" */
typedef struct fly_cpu_trailer {
  uint64_t magic;
  uint64_t checksum; /* flyCpuChecksum of all bytes before the trailer */
} fly_cpu_trailer;

/* FNV-1a, 64 bits. */
static inline uint64_t flyCpuChecksum(const void *data, size_t size) {
  const unsigned char *bytes = (const unsigned char *)data;
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3ull;
  return hash;
}

typedef struct fly_cpu_runtime {
  uint32_t abi_version;
  uint32_t reserved;
  /* Keeps the fault; the lane ends after the call. */
  void (*lane_fault)(fly_cpu_lane *lane, uint32_t location, uint32_t fault,
                     uint64_t detail);
  /* Called before each memory access of a module converted with the option
   * `memory-hooks`; `access` is a set of fly_cpu_access. 0 bytes: a buffer
   * access out of range, which touches nothing. */
  void (*memory_access)(fly_cpu_lane *lane, const void *address,
                        uint64_t bytes, uint32_t access, uint32_t location);
  /* Conversions of hosts without the instructions: bits in, bits out. */
  float (*extend_half_to_float)(uint32_t half);
  uint32_t (*truncate_float_to_half)(float value);
  uint32_t (*truncate_double_to_half)(double value);
  uint32_t (*truncate_float_to_bfloat)(float value);
  uint32_t (*truncate_double_to_bfloat)(double value);
  /* A kernel's printf, in the pieces and with the signatures of the functions
   * __ockl_printf_* of ROCm's device libraries: begin, then the format, then
   * values in groups of up to seven, 64 bits each (a half, float or bfloat as
   * double), or strings. A piece returns the message for the next one; the one
   * with `is_last` writes the text to standard output in one piece. A lane does
   * not suspend within a message. */
  uint64_t (*print_begin)(uint64_t version);
  uint64_t (*print_string)(uint64_t message, const char *text, uint64_t bytes,
                           uint32_t is_last);
  uint64_t (*print_values)(uint64_t message, uint32_t count, uint64_t v0,
                           uint64_t v1, uint64_t v2, uint64_t v3, uint64_t v4,
                           uint64_t v5, uint64_t v6, uint32_t is_last);
  /* The chips' conversions of floats of 8 bits and less; `format` is a
   * fly_cpu_float8. Of `bits` the low ones of the format count. Rounds to
   * nearest even; what is too large becomes infinity or, without infinities,
   * NaN or, without both, the largest number. NaN without NaN: the largest. */
  float (*extend_float8)(uint32_t format, uint32_t bits);
  uint32_t (*truncate_to_float8)(uint32_t format, float value);
  /* The same with stochastic rounding: the upper bits of `seed`, as many as the
   * mantissa of f32 has below that of the format, are a fraction of the last
   * place that is added before the sum is truncated. */
  uint32_t (*truncate_to_float8_stochastic)(uint32_t format, float value,
                                            uint32_t seed);
} fly_cpu_runtime;

/* The formats of the table above. */
typedef enum fly_cpu_float8 {
  FlyCpuFloat8E4M3FN,
  FlyCpuFloat8E5M2,
  FlyCpuFloat8E4M3FNUZ,
  FlyCpuFloat8E5M2FNUZ,
  FlyCpuFloat6E2M3FN,
  FlyCpuFloat6E3M2FN,
  FlyCpuFloat4E2M1FN
} fly_cpu_float8;

/* The conversions above, defined by the handlers of the CPU runtime
 * (round to nearest even but for the last one, NaN stays NaN). */
float flyCpuExtendHalfToFloat(uint32_t half);
uint32_t flyCpuTruncateFloatToHalf(float value);
uint32_t flyCpuTruncateDoubleToHalf(double value);
uint32_t flyCpuTruncateFloatToBfloat(float value);
uint32_t flyCpuTruncateDoubleToBfloat(double value);
float flyCpuExtendFloat8(uint32_t format, uint32_t bits);
uint32_t flyCpuTruncateToFloat8(uint32_t format, float value);
uint32_t flyCpuTruncateToFloat8Stochastic(uint32_t format, float value,
                                          uint32_t seed);

#ifdef __cplusplus
}
#endif

#endif /* FLY_CPU_ABI_H */
